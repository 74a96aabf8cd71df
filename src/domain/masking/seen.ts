import { utf8Length } from '../bytes.ts'
import type { ExtractDue, Seen } from '../meter/events.ts'
import type { CountedRequest } from '../transcript/count.ts'
import type { Reading, ToolResult } from '../transcript/lens.ts'
import { placeholderTool } from '../transcript/placeholder.ts'
import { placeholderOf } from '../transcript/recognise.ts'
import type { Policy } from '../transcript/policy.ts'

/** An output of this many bytes wants an extract (seed step 1). */
export const EXTRACT_BYTES = 2048

const MAX_DUE = 20
/** What a stored placeholder costs in o200k tokens: nothing shorter is worth masking. */
const PLACEHOLDER_TOKENS = 57

/**
 * What a look at a transcript tells the meter: its turns, how many results a mask would replace now,
 * and which large outputs no extract keeps yet, the largest first.
 */
export function seenIn(reading: Reading, counted: CountedRequest, policy: Policy): Seen {
  const old = reading.results.slice(0, Math.max(0, reading.results.length - policy.keep))
  return {
    turns: reading.turns,
    maskable: old.filter((result) => maskable(result, counted, policy)).length,
    extracts_due: extractsDue(reading.results),
  }
}

export function extractsDue(results: readonly ToolResult[]): readonly ExtractDue[] {
  const due: ExtractDue[] = []
  for (const result of results) {
    const bytes = result.text === null ? 0 : utf8Length(result.text)
    if (bytes < EXTRACT_BYTES) continue
    due.push({
      call_id: result.call_id,
      tool: placeholderTool(result.tool),
      turn: result.turn,
      bytes,
    })
  }
  return due.sort((one, other) => other.bytes - one.bytes).slice(0, MAX_DUE)
}

function maskable(result: ToolResult, counted: CountedRequest, policy: Policy): boolean {
  if (!result.supported || !result.final || result.fresh || placeholderOf(result) !== null)
    return false
  if (policy.exclude_tools.includes(result.tool ?? '') || policy.pinned.includes(result.call_id))
    return false
  if (result.text !== null && utf8Length(result.text) < policy.min_bytes) return false
  return (counted.by_result.get(result.pointer) ?? 0) > PLACEHOLDER_TOKENS
}
