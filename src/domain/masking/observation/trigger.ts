import { spentWith } from '../../context/calls.ts'
import type { HasContext } from '../../context/context-state.ts'
import type { ObservedState } from '../../context/observed-state.ts'
import { reanchor } from '../../meter/calibration.ts'
import type { Calibration } from '../../meter/calibration.ts'
import { readMeter } from '../../meter/meter.ts'
import type { Reading } from '../../meter/meter.ts'
import { scaleOf } from '../../meter/scale.ts'
import type { CallUsage } from '../../meter/usage.ts'
import type { Core } from '../../mission/core.ts'
import { breakEven } from '../plan/break-even.ts'
import type { Policy } from '../policy.ts'

/** Whether old outputs are masked now, and how much is enough. */
export interface Judgement {
  readonly fired: boolean
  readonly enough: (saved: number) => boolean
  readonly calibration: Calibration | null
  readonly regret: number
  /** The meter at a count of the context; null where no window is known. */
  readonly readingOf: (counted: number) => Reading | null
}

/** Judges the policy's trigger on the observed context, anchored on what provider and host said. */
export function judge(
  state: Core & HasContext,
  grown: ObservedState,
  usage: CallUsage | null,
  policy: Policy,
): Judgement {
  const scale = scaleOf(state.settings)
  const calibration = anchored(state, grown, usage, scale.window_tokens)
  const readingOf = (counted: number): Reading | null => {
    const reading = readMeter({ counted }, { ...scale, calibration })
    return reading.ok ? reading.value : null
  }
  const percentAfter = (saved: number): number | null =>
    readingOf(Math.max(0, grown.counted - saved))?.percent ?? null
  const { trigger } = policy
  const rent = weigh(state, grown, policy)
  const due =
    trigger.type === 'always' ||
    (trigger.type === 'break_even' && rent.due) ||
    (trigger.type === 'percent' && (percentAfter(0) ?? -1) >= trigger.value)
  return {
    fired: due && grown.maskable_tokens >= Math.max(1, policy.clear_at_least_tokens),
    enough: (saved) =>
      trigger.type === 'percent' &&
      saved >= policy.clear_at_least_tokens &&
      (percentAfter(saved) ?? Infinity) < policy.target_percent,
    calibration,
    regret: rent.regret,
    readingOf,
  }
}

/** A usage, or a reading that no observation made, says what the context truly was before this one. */
function anchored(
  state: Core & HasContext,
  grown: ObservedState,
  usage: CallUsage | null,
  window: number | null,
): Calibration | null {
  const counted = grown.turn_position
  if (usage !== null) {
    const actual = usage.prompt_tokens + usage.output_tokens
    return reanchor(grown.calibration, { counted, actual })
  }
  const { reading } = state.context
  if (reading === null || window === null || reading.at === grown.read_at) return grown.calibration
  const actual = reading.tokens ?? Math.round((reading.percent * window) / 100)
  return reanchor(grown.calibration, { counted, actual })
}

/** The regret grows once a turn, by what the maskable outputs cost by staying. */
function weigh(state: Core & HasContext, grown: ObservedState, policy: Policy) {
  const { maskable_tokens, turn_position, first_position } = grown
  const charged = grown.turn === state.context.observed.turn
  const rent = policy.prices.cache_read * maskable_tokens
  return breakEven({
    regret: charged ? grown.regret - rent : grown.regret,
    maskable_tokens,
    suffix_tokens: Math.max(0, turn_position - (first_position ?? turn_position) - maskable_tokens),
    prices: policy.prices,
    alpha: policy.alpha,
    max_loss: policy.max_loss,
    spent: spentOnMask(state, grown, policy),
  })
}

/** What the session will have cost after this turn's call, raw and with all that is maskable masked. */
function spentOnMask(
  { context }: HasContext,
  { counted, first_position, maskable_tokens, saved, turn }: ObservedState,
  { prices }: Policy,
): { readonly raw_after: number; readonly masked_after: number } {
  const size = {
    raw: counted + saved,
    masked: counted - maskable_tokens,
    unchanged: first_position,
  }
  const { masked, raw } = spentWith(context.calls, turnOf(turn), size, prices)
  return { raw_after: raw, masked_after: masked }
}

/** Names the call of a turn: how often outputs arrive in it does not matter. */
export const turnOf = (turn: number): string => `turn ${turn}`
