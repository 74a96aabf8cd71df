import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import { reduceMasking } from '../masking/events.ts'
import { reduceObserved } from '../masking/observe.ts'
import { reduceMeter, scaleOf } from '../meter/events.ts'
import type { LogRow } from '../log/row.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import type { MissionEvent, Occurrence } from './event.ts'
import type { Find, RecordWrite } from './record.ts'
import { openedState } from './state.ts'
import type { MissionState } from './state.ts'
import type { DueName, Step } from './step.ts'

/** What an event changes: all of it is persisted in one transaction, or none. */
export interface Change {
  readonly state: MissionState
  readonly records: readonly RecordWrite[]
  /** Rows for D1, kept in the object until D1 has them. */
  readonly outbox: readonly LogRow[]
  /** When to wake for what, in unix ms; null cancels. */
  readonly due: Readonly<Partial<Record<DueName, number | null>>>
}

const DAY_MS = 24 * 3600 * 1000

/**
 * The one rule of how a mission changes: pure, synchronous, total. A refused event changes nothing;
 * neither does one whose step gives back the stored state and no record.
 */
export function transition(
  stored: MissionState | null,
  occurrence: Occurrence,
  find: Find,
): Result<Change, Failure> {
  if (stored?.status === 'erased') return err(failure('mission_erased'))
  const before = stored ?? openedState(occurrence.tenant, occurrence.mission, {}, occurrence.at)
  const step = reduce(before, occurrence.event, occurrence.at, find)
  if (!step.ok) return step
  const { records = [], outbox = [], due = {} } = step.value
  if (step.value.state === stored && records.length === 0 && outbox.length === 0)
    return ok({ state: stored, records, outbox, due })
  const state: MissionState = {
    ...step.value.state,
    version: before.version + 1,
    updated_at: occurrence.at,
  }
  const rows = state.status === 'erased' ? [] : [...outbox, missionRow(state)]
  return ok({ state, records, outbox: rows, due: { ...dueOfLife(state), ...due } })
}

/** Each area of the mission has its own reducer, beside its rules. */
function reduce(
  state: MissionState,
  event: MissionEvent,
  at: string,
  find: Find,
): Result<Step, Failure> {
  switch (event.type) {
    case 'configured':
      return ok({ state: { ...state, settings: { ...state.settings, ...event.settings } } })
    case 'excerpt_stored':
      return ok({ state })
    case 'context_reported':
      return reduceMeter(state, event, at)
    case 'masked':
    case 'pinned':
    case 'retained':
      return ok(reduceMasking(state, event, at, find))
    case 'observed':
      return ok(reduceObserved(state, event, at, find))
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
  window_tokens: scaleOf(state.settings).window_tokens,
  percent: state.meter.reading?.percent ?? null,
  zone: state.meter.reading?.zone ?? null,
  created_at: state.created_at,
  updated_at: state.updated_at,
})
