import { utf8Length } from '../../bytes.ts'
import type { Ref } from '../../digest.ts'
import { MAX_EXCERPT_BYTES } from '../../memex/excerpt.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import type { MaskRecord } from '../masks/mask-record.ts'
import { parsePlaceholder, placeholderTool } from '../masks/placeholder.ts'
import { staysUnread } from '../policy.ts'
import type { Judged } from '../retention.ts'
import { whyKept } from '../retention.ts'
import type { Decision, DecisionReason, Mask, Unstorable } from './decision.ts'
import type { PlanInput } from './input.ts'
import { createMasker, evidenceOf, maskOf } from './masker.ts'
import { unstored } from './settle.ts'

/** Decides one result after the other; a result that nobody wants masked is not hashed. */
export function createAssessment(input: PlanInput) {
  const { policy, counted, results } = input
  const { sources } = input
  const masks = new Map<string, Mask>()
  const masker =
    input.masker ?? createMasker(input.storage, policy.unstorable === 'placeholder', input.count)
  const why = whyKept(policy, { pinned: [], retained: [] })
  const known = [...input.recognised.values(), ...(input.again?.values() ?? [])]
  const masked = new Set(known.map(({ ref }) => ref))

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
    if (why(judged(mask.ref)) === 'pinned') return decided('pinned', null)
    // What was masked before was read back, by whatever tool: it is wanted now.
    if (result.fresh && mask.ref !== null && masked.has(mask.ref))
      return decided('inside_keep_window', null)
    if (mask.saved_tokens <= 0) return decided('not_shorter', null)
    const tooLarge = mask.ref !== null && bytes > MAX_EXCERPT_BYTES
    const refused = tooLarge
      ? 'too_large'
      : (unstorable.get(pointer) ?? input.refused?.get(pointer))
    const decision = decided('masked', mask)
    return refused === undefined ? decision : unstored(decision, refused)

    function judged(ref: Ref | null): Judged {
      const { call_id, turn } = result
      return { call_id, turn, tool: placeholderTool(result.tool), ref, bytes }
    }

    function reasonToStay(): DecisionReason | null {
      if (input.recognised.has(pointer)) return 'already_masked'
      if (!result.has_call || !result.final) return 'open_call'
      if (!result.supported) return 'unsupported_part'
      if (index >= results.length - policy.keep || staysUnread(result, policy))
        return 'inside_keep_window'
      const kept = input.pinned?.has(pointer) === true ? 'pinned' : why(judged(null))
      if (kept !== null) return kept
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
