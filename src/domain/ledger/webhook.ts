import type { Failure } from '../failure.ts'
import { settleParked } from '../hooks/parking.ts'
import { findReceipt, receiptRecord, receiptsExpireBefore } from '../hooks/receipt.ts'
import { findAfter, joinSteps } from '../mission/join-steps.ts'
import type { Find } from '../mission/record.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import type { Effect, WebhookReceived, Reduce, RefusedPart } from './event.ts'
import type { MissionRecords, MissionStep } from './records.ts'
import { keepWaiting, reportedAt } from './reports.ts'
import type { MissionState } from './state.ts'

/** What a webhook is answered with, the first time and every time after. */
export interface WebhookAnswer {
  readonly mission: string
  /** `deferred`: a phase waits for what must come before it, or a report for a window. */
  readonly outcome: 'applied' | 'deferred' | 'unchanged' | 'ignored'
  readonly phase: string
  readonly status: string
  /** Parts of the event that could not be applied; the rest was. */
  readonly refused: readonly RefusedPart[]
}

/**
 * Claim, effect and answer in one step, so that a crash leaves all of them or none. Under a claim
 * that has its receipt nothing changes; what comes without a claim leaves none. An event none of
 * whose parts can be applied is refused with the first one's failure, and may come again.
 */
export function reduceWebhook(
  state: MissionState,
  received: WebhookReceived,
  at: string,
  find: Find<MissionRecords>,
  reduce: Reduce,
): Result<MissionStep, Failure> {
  const { claim } = received
  if (claim !== null) {
    const known = findReceipt(find, claim, at)
    if (!known.ok) return known
    if (known.value !== null) return ok({ state })
  }
  // A sender's clock that runs ahead must not make later events look old. Times are compared, not
  // texts: a zone can carry 9999 into a year of five digits, which sorts before all others.
  const ahead = Date.parse(received.occurred_at) > Date.parse(at)
  const occurred = ahead ? at : received.occurred_at
  const failures: FailedEffect[] = []
  let step: MissionStep = { state }
  for (const effect of received.effects) {
    const next = applied(step.state, effect, occurred, findAfter(step, find), reduce)
    if (next.ok) step = joinSteps(step, next.value)
    else failures.push({ effect, failure: next.error })
  }
  const [first] = failures
  if (first !== undefined && failures.length === received.effects.length) return err(first.failure)
  const early = failures.filter(waitsForWindow)
  for (const { effect } of early) step = { ...step, state: waiting(step.state, effect, occurred) }
  // What has just happened may be what an earlier event was waiting for: the answer says so.
  step = settleParked(step)
  if (claim === null) return ok(step)
  const later = failures
    .filter((failed) => !waitsForWindow(failed))
    .map(({ effect, failure }) => ({ part: effect.event.type, code: failure.code }))
  const refused = [...received.refused, ...later]
  const answer = answerOf(state, step, received, refused, early.length > 0)
  const status = answer.outcome === 'deferred' ? 202 : 200
  const kept = { status, media: 'application/json', text: JSON.stringify(answer) }
  return ok({
    ...step,
    records: [...(step.records ?? []), receiptRecord(claim, kept, at)],
    expired: { kind: 'receipt', before: receiptsExpireBefore(at) },
  })
}

interface FailedEffect {
  readonly effect: Effect
  readonly failure: Failure
}

/** The receipt ends the sender's retries, so that a report which came too early is kept with it. */
const waitsForWindow = ({ effect, failure }: FailedEffect): boolean =>
  effect.event.type === 'context_reported' && failure.code === 'window_unknown'

const waiting = (state: MissionState, { during, event }: Effect, at: string): MissionState =>
  event.type === 'context_reported' ? keepWaiting(state, event, during, at) : state

/** An effect at the sender's time. What is older than what is known adds to the history only. */
function applied(
  state: MissionState,
  { artifact, during, event }: Effect,
  at: string,
  find: Find<MissionRecords>,
  reduce: Reduce,
): Result<MissionStep, Failure> {
  if (artifact !== undefined && newer(state, artifact, at, find)) return ok({ state })
  const step = reduce(state, event, at, find)
  if (!step.ok) return step
  if (event.type === 'context_reported') return ok(reportedAt(state, step.value, during, at))
  if (artifact === undefined) return step
  const after = step.value.state
  const artifacts_at = { ...after.hooks.artifacts_at, [artifact]: at }
  return ok({ ...step.value, state: { ...after, hooks: { ...after.hooks, artifacts_at } } })
}

/** Whether a document is there that is newer than one of this time, whoever gave it. */
const newer = (
  state: MissionState,
  name: string,
  at: string,
  find: Find<MissionRecords>,
): boolean =>
  (state.hooks.artifacts_at[name] ?? '') > at || (find('artifact', [name])[0]?.at ?? '') > at

function answerOf(
  before: MissionState,
  { state, records = [], told = [] }: MissionStep,
  { effects }: WebhookReceived,
  refused: WebhookAnswer['refused'],
  early: boolean,
): WebhookAnswer {
  const parked = effects.some(
    ({ event }) =>
      event.type === 'phase_signalled' && state.hooks.parked.some(({ to }) => to === event.to),
  )
  const changed = state !== before || records.length + told.length > 0
  const outcome = early || parked ? 'deferred' : changed ? 'applied' : 'unchanged'
  return { mission: state.mission, outcome, phase: state.phase, status: state.status, refused }
}
