import type { PlannedCall } from '../../context/calls.ts'
import type { JsonSources, Masker } from './masker.ts'
import type { MaskRecord, Refusal } from '../mask-record.ts'
import { earlier, sumsBefore, repeats, spentWith, NO_CALLS_MADE } from '../../context/calls.ts'
import { MAX_EXCERPT_BYTES } from '../../memex/excerpt.ts'
import { utf8Length } from '../../bytes.ts'
import type { CountTokens } from '../../tokens.ts'
import { breakEven, type BreakEven } from './break-even.ts'
import type { CountedRequest } from '../../transcript/count.ts'
import type { Decision, DecisionReason, Mask, Unstorable } from './decision.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import { createMasker, evidenceOf, maskOf } from './masker.ts'
import { parsePlaceholder, placeholderTool } from '../placeholder.ts'
import { staysUnread, type Policy } from '../policy.ts'
import type { Recognised } from '../recognise.ts'
import { percentAfter, settle, unstored, type Basis, type Plan } from './settle.ts'

/** What the context meter says: calibrated, in percent of a window in tokens. */
export interface MeterReading {
  readonly percent: number | null
  readonly window_tokens: number | null
}

export interface PlanInput {
  readonly results: readonly ToolResult[]
  readonly policy: Policy
  readonly counted: CountedRequest
  readonly count: CountTokens
  readonly meter: MeterReading
  /** True tokens per counted token (DESIGN section 5); 1 where nothing was calibrated. */
  readonly ratio: number
  readonly recognised: Recognised
  /** Whether anything is masked that was not masked before; true where it is not said. */
  readonly anew?: boolean
  readonly storage: 'memex' | 'in_context'
  /** The JSON source of the results that are not plain text. */
  readonly sources: JsonSources
  /** Pointers of results that a retention decision keeps, beside the policy's `pinned`. */
  readonly pinned?: ReadonlySet<string>
  /** Paths of the extracts that results have, by pointer. */
  readonly extracts?: ReadonlyMap<string, string>
  /** Raw results that were masked before, by pointer: they are masked again, before any policy. */
  readonly again?: ReadonlyMap<string, MaskRecord>
  /** Those that were unmasked since: a new mask of them has the placeholder that they had. */
  readonly lifted?: ReadonlyMap<string, MaskRecord>
  /** Results whose bytes were refused before, by pointer. */
  readonly refused?: ReadonlyMap<string, Refusal>
  /** With `break_even`: the calls of the conversation, and which of its states this is. */
  readonly calls?: PlannedCall
  /** What makes the masks; who plans call after call may keep one that remembers them. */
  readonly masker?: Masker
}

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

/** Decides one result after the other; a result that nobody wants masked is not hashed. */
function createAssessment(input: PlanInput) {
  const { policy, counted, results } = input
  const { sources } = input
  const masks = new Map<string, Mask>()
  const masker =
    input.masker ?? createMasker(input.storage, policy.unstorable === 'placeholder', input.count)
  const excluded = new Set(policy.exclude_tools)
  const pinned = new Set(policy.pinned)
  const known = [...input.recognised.values(), ...(input.again?.values() ?? [])]
  const masked = new Set(known.map(({ ref }) => ref))
  const isExcluded = (tool: string | null) =>
    tool !== null && (excluded.has(tool) || excluded.has(placeholderTool(tool)))

  return async (
    result: ToolResult,
    index: number,
    wanted: boolean,
    unstorable: ReadonlyMap<string, Unstorable>,
  ): Promise<Decision> => {
    const { pointer } = result
    const before = input.again?.get(pointer)
    if (before !== undefined) return maskedAgain(result, before)
    const evidence = evidenceOf(result, sources)
    const bytes = utf8Length(evidence)
    const tokens = counted.by_result.get(pointer) ?? 0
    const reason = reasonToStay()
    if (reason !== null) return decided(reason, null)
    const extract = input.extracts?.get(pointer) ?? null
    const record = input.lifted?.get(pointer) ?? null
    const mask =
      masks.get(pointer) ?? (await masker.mask(result, evidence, tokens, { extract, record }))
    masks.set(pointer, mask)
    if (mask.ref !== null && pinned.has(mask.ref)) return decided('pinned', null)
    // What was masked before was read back, by whatever tool: it is wanted now.
    if (result.fresh && mask.ref !== null && masked.has(mask.ref))
      return decided('inside_keep_window', null)
    if (mask.saved_tokens <= 0) return decided('not_shorter', null)
    const tooLarge = mask.ref !== null && bytes > MAX_EXCERPT_BYTES
    const why = tooLarge ? 'too_large' : (unstorable.get(pointer) ?? input.refused?.get(pointer))
    const decision = decided('masked', mask)
    return why === undefined ? decision : unstored(decision, why)

    function reasonToStay(): DecisionReason | null {
      if (input.recognised.has(pointer)) return 'already_masked'
      if (!result.has_call || !result.final) return 'open_call'
      if (!result.supported) return 'unsupported_part'
      if (index >= results.length - policy.keep || staysUnread(result, policy))
        return 'inside_keep_window'
      if (pinned.has(result.call_id) || input.pinned?.has(pointer)) return 'pinned'
      if (isExcluded(result.tool)) return 'excluded_tool'
      if (bytes < policy.min_bytes) return 'small'
      // A placeholder that nobody here wrote is text, and is never stored as if it were evidence.
      if (parsePlaceholder(result.text ?? '') !== null) return 'not_shorter'
      return wanted ? null : 'target_reached'
    }

    function decided(decision: DecisionReason, mask: Mask | null): Decision {
      return {
        ...named(result),
        decision,
        bytes,
        tokens,
        saved_tokens: mask?.saved_tokens ?? 0,
        mask,
      }
    }
  }
}

const named = (result: ToolResult) => ({
  pointer: result.pointer,
  call_id: result.call_id,
  tool: placeholderTool(result.tool),
  turn: result.turn,
  occurrence: result.occurrence,
  is_error: result.is_error,
})

/** What was masked before is not hashed, counted or stored again. */
const maskedAgain = (result: ToolResult, record: MaskRecord): Decision => ({
  ...named(result),
  decision: 'masked_before',
  bytes: record.bytes,
  tokens: record.tokens,
  saved_tokens: 0,
  mask: maskOf(result, record),
})
