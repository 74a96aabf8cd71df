import type { PlannedCall } from '../../context/calls.ts'
import { earlier, sumsBefore, repeats, spentWith, NO_CALLS_MADE } from '../../context/calls.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import { type Policy } from '../policy.ts'
import { createAssessment } from './assess.ts'
import { breakEven, type BreakEven } from './break-even.ts'
import type { Decision, Unstorable } from './decision.ts'
import type { MeterReading, PlanInput } from './input.ts'
import { percentAfter, settle, type Basis, type Plan } from './settle.ts'

/** How many excerpts one call stores at most; what is left is masked by the next one. */
export const MOST_STORED = 100

/** Plans again, knowing which results' bytes can't be stored, by pointer: others go in their place. */
export type Planner = (unstorable: ReadonlyMap<string, Unstorable>) => Promise<Plan>

/**
 * A decision for each tool result, in transcript order. Pure: the same input gives the same plan;
 * only the digests of what would be stored make it a promise.
 */
export const planMask = (input: PlanInput): Promise<Plan> => createPlanner(input)(new Map())

/** Plans of one input: what was hashed and counted for one of them is not hashed again for the next. */
export function createPlanner(input: PlanInput): Planner {
  const assess = createAssessment(input)
  return (unstorable) =>
    plan(input, (result, index, wanted) => assess(result, index, wanted, unstorable))
}

async function plan(
  input: PlanInput,
  assess: (result: ToolResult, index: number, wanted: boolean) => Promise<Decision>,
): Promise<Plan> {
  const { policy, meter, storage } = input
  const basis: Basis = {
    storage,
    percent: meter.percent,
    window_tokens: meter.window_tokens,
    ratio: input.ratio,
    fired: fires(policy, meter) || input.calls?.state.unfinished === true,
    target_percent: policy.trigger.type === 'percent' ? policy.target_percent : null,
    clear_at_least_tokens: policy.clear_at_least_tokens,
    items: input.counted.items,
  }
  const decisions: Decision[] = []
  const stored = new Set<string>()
  let saved = 0
  for (const [index, result] of input.results.entries()) {
    const wanted = input.anew !== false && basis.fired && !targetReached(basis, saved)
    const decision = postponed(await assess(result, index, wanted), stored)
    decisions.push(decision)
    saved += decision.saved_tokens
  }
  return policy.trigger.type === 'break_even'
    ? settle(decisions, basis, weigh(input, decisions))
    : settle(decisions, basis)
}

/** What goes beyond what one call may store waits for the next one. */
function postponed(decision: Decision, stored: Set<string>): Decision {
  const { mask } = decision
  if (decision.decision !== 'masked' || mask === null || mask.ref === null) return decision
  if (stored.size >= MOST_STORED && !stored.has(mask.ref))
    return { ...decision, decision: 'postponed', saved_tokens: 0 }
  stored.add(mask.ref)
  return decision
}

function fires({ trigger }: Policy, { percent }: MeterReading): boolean {
  return trigger.type !== 'percent' || (percent !== null && percent >= trigger.value)
}

function targetReached(basis: Basis, saved: number): boolean {
  const after = percentAfter(basis, saved)
  if (basis.target_percent === null || after === null) return false
  return after < basis.target_percent && saved >= basis.clear_at_least_tokens
}

/** Whether masking pays now, with the budget of the conversation (DESIGN section 4). */
function weigh(input: PlanInput, decisions: readonly Decision[]): BreakEven {
  const { policy, counted, results } = input
  const first = decisions.find((decision) => decision.decision === 'masked')
  const before = first === undefined ? undefined : counted.before_result.get(first.pointer)
  // What the model has not seen yet is in no cache: it is written in any case.
  const fresh = results.find((result) => result.fresh)
  const seen = counted.before_result.get(fresh?.pointer ?? '') ?? counted.tokens
  const maskable_tokens = decisions.reduce((sum, decision) => sum + decision.saved_tokens, 0)
  const {
    state,
    fingerprint,
    raw,
    unchanged = null,
  }: PlannedCall = input.calls ?? {
    state: NO_CALLS_MADE,
    fingerprint: '',
    raw: counted.tokens,
  }
  const sums = sumsBefore(state, fingerprint)
  const masked = counted.tokens - maskable_tokens
  const size = { raw, masked, unchanged: earlier(before ?? null, unchanged) }
  const spent = spentWith(state, fingerprint, size, policy.prices)
  const weighed = breakEven({
    // What was put off is due at once.
    regret: state.unfinished ? Infinity : sums.regret,
    maskable_tokens,
    suffix_tokens: before === undefined ? 0 : seen - before - maskable_tokens,
    prices: policy.prices,
    alpha: policy.alpha,
    max_loss: policy.max_loss,
    spent: { raw_after: spent.raw, masked_after: spent.masked },
  })
  // A state of long ago was judged then: asking for it again must not change it.
  return repeats(state, fingerprint) === 'older' ? { ...weighed, due: false } : weighed
}
