import { utf8Length } from '../bytes.ts'
import type { ExtractDue, Seen } from '../meter/events.ts'
import type { Observed } from './observed.ts'
import type { CountedRequest } from '../transcript/count.ts'
import type { Reading, ToolResult } from '../transcript/lens.ts'
import { placeholderTool } from '../transcript/placeholder.ts'
import { placeholderOf } from '../transcript/recognise.ts'
import type { Policy } from '../transcript/policy.ts'

/** An output of this many bytes wants an extract (seed step 1). */
export const EXTRACT_BYTES = 2048

/** An output of this share of the window is worth an extract at once: no keep window helps later. */
const LARGE_SHARE = 0.05
const LARGE_TOKENS = 10_000

/** Many more than are shown: those with an extract are taken out later, where that is known. */
const MAX_DUE = 200
/** What a stored placeholder costs in o200k tokens: nothing shorter is worth masking. */
export const PLACEHOLDER_TOKENS = 57

/**
 * What a look at a transcript tells the meter: its turns, how many results a mask would replace now,
 * and which large outputs no extract keeps yet, the largest first.
 */
export function seenIn(
  reading: Reading,
  counted: CountedRequest,
  policy: Policy,
  window_tokens: number | null,
): Seen {
  const old = reading.results.slice(0, Math.max(0, reading.results.length - policy.keep))
  return {
    turns: reading.turns,
    maskable: old.filter((result) => maskable(result, counted, policy)).length,
    extracts_due: extractsDue(reading.results, counted, window_tokens),
  }
}

/** The large outputs among results, the largest first. */
export const extractsDue = (
  results: readonly ToolResult[],
  counted: CountedRequest,
  window_tokens: number | null,
): readonly ExtractDue[] =>
  largestFirst(
    results.flatMap((result) => {
      const { call_id, turn, text, pointer } = result
      const bytes = text === null ? 0 : utf8Length(text)
      const tokens = counted.by_result.get(pointer) ?? 0
      const tool = placeholderTool(result.tool)
      return dueOf({ call_id, tool, turn, bytes, tokens }, window_tokens)
    }),
  )

/** The list with one more output on it, where that wants an extract. */
export const withDue = (
  due: readonly ExtractDue[],
  one: Output,
  window_tokens: number | null,
): readonly ExtractDue[] => largestFirst([...due, ...dueOf(one, window_tokens)])

type Output = Pick<Observed, 'call_id' | 'tool' | 'turn' | 'bytes' | 'tokens'>

function dueOf(one: Output, window_tokens: number | null): ExtractDue[] {
  const { call_id, tool, turn, bytes } = one
  if (bytes < EXTRACT_BYTES) return []
  const large = window_tokens === null ? LARGE_TOKENS : LARGE_SHARE * window_tokens
  return [{ call_id, tool, turn, bytes, ...(one.tokens >= large ? { urgent: true } : {}) }]
}

const largestFirst = (due: readonly ExtractDue[]): readonly ExtractDue[] =>
  due.toSorted((one, other) => other.bytes - one.bytes).slice(0, MAX_DUE)

function maskable(result: ToolResult, counted: CountedRequest, policy: Policy): boolean {
  if (!result.supported || !result.final || result.fresh || placeholderOf(result) !== null)
    return false
  if (policy.exclude_tools.includes(result.tool ?? '') || policy.pinned.includes(result.call_id))
    return false
  if (result.text !== null && utf8Length(result.text) < policy.min_bytes) return false
  return (counted.by_result.get(result.pointer) ?? 0) > PLACEHOLDER_TOKENS
}
