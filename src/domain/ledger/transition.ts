import { enterConversation } from '../context/conversation.ts'
import type { Speaker } from '../context/conversation.ts'
import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import { withTrajectory } from '../fold/lifecycle/trajectory.ts'
import { newDeliveries } from '../hooks/delivery.ts'
import type { Subscription } from '../hooks/endpoint.ts'
import { settleParked } from '../hooks/parking.ts'
import { doneBefore, doneRecord, findReceipt, receiptRecord } from '../hooks/receipt.ts'
import type { LogRow } from '../log/row.ts'
import { scaleOf } from '../meter/scale.ts'
import { joinSteps, findAfter } from '../mission/join-steps.ts'
import type { Expiry, Find, RecordWrite } from '../mission/record.ts'
import type { DueName, Removal } from '../mission/step.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import type { MissionEvent, Occurrence } from './event.ts'
import type { MissionRecords, MissionStep } from './records.ts'
import { reduce } from './reduce.ts'
import { settleReports } from './reports.ts'
import { openedState } from './state.ts'
import type { MissionState } from './state.ts'
import { eventRecords, tellings } from './telling.ts'

/** What an event changes: all of it is persisted in one transaction, or none. */
export interface Change {
  readonly state: MissionState
  readonly records: readonly RecordWrite<MissionRecords>[]
  /** Rows for D1, kept in the object until D1 has them. */
  readonly outbox: readonly LogRow[]
  /** When to wake for what, in unix ms; null cancels. */
  readonly due: Readonly<Partial<Record<DueName, number | null>>>
  readonly removed: readonly Removal[]
  readonly expired: Expiry | null
}

/** What can only happen to a mission that is there. */
const OPENS_NOTHING: ReadonlySet<MissionEvent['type']> = new Set([
  // A request claims its key before it knows whether the mission is there.
  'request_claimed',
  'request_answered',
  'request_released',
  'delivery_resent',
  'fold_submitted',
  'fold_measured',
  'context_proved',
  'tool_called',
  'escalation_resolved',
  'delegated',
] as const)

const DAY_MS = 24 * 3600 * 1000

/**
 * The one rule of how a mission changes: pure, synchronous, total. A refused event changes nothing;
 * neither does one whose step gives back the stored state and no record but a receipt. Whoever
 * subscribed gets a delivery of what the change has to tell.
 */
export function transition(
  stored: MissionState | null,
  occurrence: Occurrence,
  find: Find<MissionRecords>,
  subscriptions: readonly Subscription[] = [],
): Result<Change, Failure> {
  if (stored?.status === 'erased') return afterErasure(stored, occurrence)
  const { claim, event, mission, once, tenant } = occurrence
  // Clocks differ from isolate to isolate, but in a mission's logs time never runs back.
  const at = latest(occurrence.at, stored?.updated_at)
  if (stored === null && OPENS_NOTHING.has(event.type)) return err(failure('mission_not_found'))
  const before = stored ?? openedState(tenant, mission, {}, at)
  const receipt = claim === undefined ? ok(null) : findReceipt(find, claim, at)
  if (!receipt.ok) return receipt
  if (once !== undefined && doneBefore(find, once, at)) return ok(unchanged(before))
  const entered = enter(before, occurrence.speaker, at, find)
  const reduced = reduce(entered.state, event, at, findAfter(entered, find))
  if (!reduced.ok) return reduced
  // A webhook says itself which phase its reports are from.
  const joined = joinSteps(entered, reduced.value)
  const seen = event.type === 'webhook_received' ? joined : traced(joined)
  const step = settleReports(settleParked(seen), find, reduce)
  const done = once === undefined ? [] : [doneRecord(once, at)]
  const claimed =
    claim === undefined || receipt.value !== null ? [] : [receiptRecord(claim, null, at)]
  return ok(
    changed(
      stored,
      before,
      { ...step, records: [...(step.records ?? []), ...done, ...claimed] },
      at,
      subscriptions,
    ),
  )
}

/** All that a step brings along: a new version, the events that it tells, their deliveries. */
function changed(
  stored: MissionState | null,
  before: MissionState,
  step: MissionStep,
  at: string,
  subscriptions: readonly Subscription[],
): Change {
  const { records = [], outbox = [], told = [], due = {}, removed = [], expired = null } = step
  const quiet = records.every(({ kind }) => kind === 'receipt' || kind === 'delivery')
  if (step.state === stored && quiet && outbox.length + told.length === 0)
    return { state: stored, records, outbox, due, removed, expired }
  const state: MissionState = {
    ...step.state,
    version: before.version + 1,
    updated_at: at,
  }
  const living = state.status !== 'erased'
  const events = living
    ? eventRecords(state, [...tellings(before, state, records), ...told], at)
    : []
  const deliveries = newDeliveries(state, events, subscriptions)
  const calls = deliveries.length === 0 ? {} : { webhooks: Date.parse(at) }
  return {
    state,
    records: [...records, ...events, ...deliveries],
    outbox: living ? [...outbox, missionRow(state)] : [],
    due: { ...dueOfLife(state), ...calls, ...due },
    removed,
    expired,
  }
}

/** The mission in the conversation whose transcript was seen. */
const enter = (
  before: MissionState,
  speaker: Speaker | undefined,
  at: string,
  find: Find<MissionRecords>,
): MissionStep =>
  speaker === undefined ? { state: before } : enterConversation(before, speaker, at, find)

const traced = (step: MissionStep): MissionStep => ({
  ...step,
  state: withTrajectory(step.state),
})

const unchanged = (state: MissionState): Change => ({
  state,
  records: [],
  outbox: [],
  due: {},
  removed: [],
  expired: null,
})

/** Erasing again sweeps again: a writer that died may have left bytes behind the first sweeps. */
const afterErasure = (state: MissionState, { at, event }: Occurrence): Result<Change, Failure> =>
  event.type === 'erased'
    ? ok({ ...unchanged(state), due: { erase: Date.parse(at) } })
    : err(failure('mission_erased'))

const latest = (one: string, other = one): string => (other > one ? other : one)

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
  percent: state.context.reading?.percent ?? null,
  zone: state.context.reading?.zone ?? null,
  created_at: state.created_at,
  updated_at: state.updated_at,
})
