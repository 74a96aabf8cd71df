import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { LogRow } from '../log/row.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import type { MissionEvent, Occurrence } from './event.ts'
import type { Find, RecordWrite } from './record.ts'
import { openedState } from './state.ts'
import type { MissionState } from './state.ts'

/** Work that the mission's alarm does later: flush the outbox, end a TTL, erase, call webhooks. */
export type DueName = 'outbox' | 'ttl' | 'erase' | 'webhooks'

/** What an event changes: all of it is persisted in one transaction, or none. */
export interface Change {
  readonly state: MissionState
  readonly records: readonly RecordWrite[]
  /** Rows for D1, kept in the object until D1 has them. */
  readonly outbox: readonly LogRow[]
  /** When to wake for what, in unix ms; null cancels. */
  readonly due: Partial<Record<DueName, number | null>>
}

const DAY_MS = 24 * 3600 * 1000

/** The one rule of how a mission changes: pure, synchronous, total. A refused event changes nothing. */
export function transition(
  stored: MissionState | null,
  occurrence: Occurrence,
  find: Find,
): Result<Change, Failure> {
  if (stored?.status === 'erased') return err(failure('mission_erased'))
  const before = stored ?? openedState(occurrence.tenant, occurrence.mission, {}, occurrence.at)
  const step = applied(before, occurrence.event, occurrence.at, find)
  if (!step.ok) return step
  const state: MissionState = {
    ...step.value.state,
    version: before.version + 1,
    updated_at: occurrence.at,
  }
  return ok({
    state,
    records: step.value.records ?? [],
    outbox: state.status === 'erased' ? [] : [...(step.value.outbox ?? []), missionRow(state)],
    due: { ...dueOfLife(state), ...step.value.due },
  })
}

interface Step {
  readonly state: MissionState
  readonly records?: readonly RecordWrite[]
  readonly outbox?: readonly LogRow[]
  readonly due?: Change['due']
}

function applied(
  state: MissionState,
  event: MissionEvent,
  at: string,
  _find: Find,
): Result<Step, Failure> {
  switch (event.type) {
    case 'configured':
      return ok({ state: { ...state, settings: { ...state.settings, ...event.settings } } })
    case 'excerpt_stored':
      return ok({ state })
    case 'erased':
      return ok({
        state: { ...state, status: 'erased' },
        due: { erase: Date.parse(at), ttl: null },
      })
  }
}

const dueOfLife = (state: MissionState): Change['due'] =>
  state.settings.ttl_days === undefined || state.status === 'erased'
    ? {}
    : { ttl: Date.parse(state.created_at) + state.settings.ttl_days * DAY_MS }

const missionRow = (state: MissionState): LogRow => ({
  table: 'missions',
  tenant: state.tenant,
  mission: state.mission,
  version: state.version,
  status: state.status,
  phase: state.phase,
  fold: state.fold,
  model: state.settings.model ?? null,
  window_tokens: state.settings.window_tokens ?? null,
  percent: null,
  zone: null,
  created_at: state.created_at,
  updated_at: state.updated_at,
})
