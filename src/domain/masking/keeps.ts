import type { Policy } from '../transcript/policy.ts'
import type { MaskingState } from './state.ts'
import type { Observed } from './observed.ts'

/** Names one tool result of a session in retention decisions. */
export const retentionKey = (turn: number, call_id: string): string => `${turn}/${call_id}`

/** Whether an observed output stays, whatever it costs: by policy, by a pin, or by retention. */
export function keeps(policy: Policy, masking: MaskingState): (one: Observed) => boolean {
  const pinned = new Set([...policy.pinned, ...masking.pinned])
  const retained = new Set(masking.retained)
  const excluded = new Set(policy.exclude_tools)
  return (one) =>
    pinned.has(one.call_id) ||
    (one.ref !== null && pinned.has(one.ref)) ||
    retained.has(retentionKey(one.turn, one.call_id)) ||
    excluded.has(one.tool) ||
    one.bytes < policy.min_bytes
}
