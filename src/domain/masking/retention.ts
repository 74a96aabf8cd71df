import type { Ref } from '../digest.ts'
import type { Policy } from './policy.ts'
import type { MaskingState } from './masking-state.ts'
import { singleCalls, resultKey, callOf } from '../transcript/calls.ts'
import { placeholderTool } from './placeholder.ts'
import type { ToolResult } from '../transcript/lens.ts'

/**
 * The pointers of the results of a transcript that a retention decision keeps. A summary of old turns
 * moves the numbers of the later ones: a call id that stands there once is known by itself.
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

/** Whether an output stays, whatever it costs: by policy, by a pin, or by retention. */
export function keeps(policy: Policy, masking: MaskingState): (one: Judged) => boolean {
  const pinned = new Set([...policy.pinned, ...masking.pinned])
  const retained = new Set(masking.retained)
  const excluded = new Set(policy.exclude_tools.flatMap((tool) => [tool, placeholderTool(tool)]))
  return (one) =>
    pinned.has(one.call_id) ||
    (one.ref !== null && pinned.has(one.ref)) ||
    retained.has(resultKey(one.turn, one.call_id)) ||
    excluded.has(one.tool) ||
    one.bytes < policy.min_bytes
}
