import type { Ref } from '../digest.ts'
import { singleCalls, resultKey, callOf } from '../transcript/calls.ts'
import type { ToolResult } from '../transcript/lens.ts'
import type { MaskingState } from './masking-state.ts'
import { placeholderTool } from './masks/placeholder.ts'
import type { Policy } from './policy.ts'

/**
 * The pointers of the results of a transcript that a retention decision keeps. A summary of old turns
 * renumbers the later ones, so a call id that stands there once is known without its turn.
 */
export function retainedIn(
  results: readonly ToolResult[],
  masking: Pick<MaskingState, 'retained'> | undefined,
): ReadonlySet<string> {
  const retained = new Set(masking?.retained)
  if (retained.size === 0) return new Set()
  const calls = new Set([...retained].map((key) => callOf(key)))
  const single = singleCalls(results)
  return new Set(
    results
      .filter(
        ({ turn, call_id }) =>
          retained.has(resultKey(turn, call_id)) || (single.has(call_id) && calls.has(call_id)),
      )
      .map(({ pointer }) => pointer),
  )
}

/** What an output is kept or masked by. */
export interface Judged {
  readonly call_id: string
  readonly turn: number
  readonly tool: string
  readonly ref: Ref | null
  readonly bytes: number
}

export type KeptReason = 'pinned' | 'excluded_tool' | 'small'

/** Why an output stays, whatever it costs: by a pin, by retention, or by policy; null where it may go. */
export function whyKept(
  policy: Pick<Policy, 'exclude_tools' | 'min_bytes' | 'pinned'>,
  masking: Pick<MaskingState, 'pinned' | 'retained'>,
): (one: Judged) => KeptReason | null {
  const pinned = new Set([...policy.pinned, ...masking.pinned])
  const retained = new Set(masking.retained)
  const excluded = new Set(policy.exclude_tools.flatMap((tool) => [tool, placeholderTool(tool)]))
  return (one) => {
    if (pinned.has(one.call_id) || (one.ref !== null && pinned.has(one.ref))) return 'pinned'
    if (retained.size > 0 && retained.has(resultKey(one.turn, one.call_id))) return 'pinned'
    if (excluded.has(one.tool)) return 'excluded_tool'
    return one.bytes < policy.min_bytes ? 'small' : null
  }
}

/** Whether an output stays, whatever it costs. */
export function keeps(policy: Policy, masking: MaskingState): (one: Judged) => boolean {
  const why = whyKept(policy, masking)
  return (one) => why(one) !== null
}
