import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { HasFold } from '../fold/lifecycle/folding.ts'
import type { Core } from '../mission/core.ts'
import type { Phase } from '../mission/phases.ts'
import type { Find } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { afterAttempt, deliveryRecord, isGone } from './delivery.ts'
import type { Attempt } from './delivery.ts'
import type { HasHooks } from './hooks-state.ts'
import { signalPhase } from './parking.ts'
import {
  findReceipt,
  isRunning,
  receiptRecord,
  receiptsExpireBefore,
  releasedRecord,
} from './receipt.ts'
import type { Claim, ReceiptAnswer } from './receipt.ts'
import type { HooksRecords } from './records.ts'

export type HooksEvent =
  | { readonly type: 'phase_signalled'; readonly to: Phase }
  | { readonly type: 'boundary_reached'; readonly cause: string }
  | { readonly type: 'request_claimed'; readonly claim: Claim }
  | { readonly type: 'request_answered'; readonly claim: Claim; readonly answer: ReceiptAnswer }
  /** A request that failed for reasons of ours: the same one may come again at once. */
  | { readonly type: 'request_released'; readonly claim: Claim }
  | {
      readonly type: 'delivery_tried'
      readonly key: string
      readonly attempt: Attempt
      /** Where it really went, if anywhere: its endpoint may have moved since. */
      readonly url?: string | undefined
    }
  | { readonly type: 'delivery_resent'; readonly key: string }

export function reduceHooks<S extends Core & HasFold & HasHooks>(
  state: S,
  event: HooksEvent,
  at: string,
  find: Find<HooksRecords>,
): Result<Step<S, HooksRecords>, Failure> {
  switch (event.type) {
    case 'phase_signalled':
      return ok(signalPhase(state, { to: event.to, at }))
    case 'boundary_reached':
      return ok({ state, told: [{ type: 'boundary.reached', data: { cause: event.cause } }] })
    case 'request_claimed':
      return claimed(state, event.claim, at, find)
    case 'request_answered':
      return answered(state, event.claim, event.answer, at, find)
    case 'request_released':
      return released(state, event.claim, at, find)
    case 'delivery_tried':
      return tried(state, event, at, find)
    case 'delivery_resent':
      return resent(state, event.key, at, find)
  }
}

/** The first claim of an id makes a receipt; while its request runs, a second one has to wait. */
function claimed<S extends HasHooks>(
  state: S,
  claim: Claim,
  at: string,
  find: Find<HooksRecords>,
): Result<Step<S, HooksRecords>, Failure> {
  const known = findReceipt(find, claim, at)
  if (!known.ok) return known
  // The same call again, since its answer was lost on the way, has its claim already.
  if (known.value?.answer || known.value?.by === claim.by) return ok({ state })
  if (known.value !== null && isRunning(known.value, at)) return err(failure('request_in_progress'))
  const expired = { kind: 'receipt', before: receiptsExpireBefore(at) } as const
  return ok({ state, records: [receiptRecord(claim, null, at)], expired })
}

/** Keeps an answer, unless another call has taken the claim over meanwhile. */
function answered<S extends HasHooks>(
  state: S,
  claim: Claim,
  answer: ReceiptAnswer,
  at: string,
  find: Find<HooksRecords>,
): Result<Step<S, HooksRecords>, Failure> {
  const known = findReceipt(find, claim, at)
  if (!known.ok) return known
  const { value } = known
  if (value !== null && (value.by !== claim.by || value.answer !== null)) return ok({ state })
  return ok({ state, records: [receiptRecord(claim, answer, at)] })
}

function released<S extends HasHooks>(
  state: S,
  claim: Claim,
  at: string,
  find: Find<HooksRecords>,
): Result<Step<S, HooksRecords>, Failure> {
  const known = findReceipt(find, claim, at)
  if (!known.ok) return known
  if (known.value?.by !== claim.by || known.value.answer !== null) return ok({ state })
  return ok({ state, records: [releasedRecord(claim, at)] })
}

function tried<S extends HasHooks>(
  state: S,
  { attempt, key, url: called }: HooksEvent & { readonly type: 'delivery_tried' },
  at: string,
  find: Find<HooksRecords>,
): Result<Step<S, HooksRecords>, Failure> {
  const known = find('delivery', [key])[0]?.body
  if (known?.state !== 'pending') return ok({ state })
  const delivery = { ...known, url: called ?? known.url }
  const records = [deliveryRecord(key, at, afterAttempt(delivery, attempt, at))]
  if (!isGone(attempt)) return ok({ state, records })
  const { endpoint, url } = delivery
  const { hooks } = state
  const others = hooks.disabled.filter((one) => one.endpoint !== endpoint)
  return ok({
    state: { ...state, hooks: { ...hooks, disabled: [...others, { endpoint, url }] } },
    records,
  })
}

/** A delivery from the start; asking for it says that its endpoint is there again. */
function resent<S extends HasHooks>(
  state: S,
  key: string,
  at: string,
  find: Find<HooksRecords>,
): Result<Step<S, HooksRecords>, Failure> {
  const delivery = find('delivery', [key])[0]?.body
  if (delivery === undefined) return err(failure('delivery_not_found'))
  if (delivery.state === 'pending') return ok({ state })
  const { hooks } = state
  const disabled = hooks.disabled.filter(({ endpoint }) => endpoint !== delivery.endpoint)
  return ok({
    state: { ...state, hooks: { ...hooks, disabled } },
    records: [deliveryRecord(key, at, { ...delivery, state: 'pending', tries: 0, next_at: at })],
    due: { webhooks: Date.parse(at) },
  })
}
