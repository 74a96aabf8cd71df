import { utf8Length } from '../bytes.ts'
import type { ExtractDue, HasContext } from '../context/context-state.ts'
import type { Look, OutputSeen, Seen } from '../context/report/look.ts'
import { scaleOf } from '../meter/scale.ts'
import type { Named } from '../meter/scale.ts'
import type { Core } from '../mission/core.ts'
import { LARGE_OUTPUT_BYTES } from '../mission/large-output.ts'
import type { CountedRequest } from '../transcript/count.ts'
import type { Reading, ToolResult } from '../transcript/lens.ts'
import type { MaskingState, HasMasking } from './masking-state.ts'
import { PLACEHOLDER_TOKENS, placeholderTool } from './masks/placeholder.ts'
import { placeholderOf } from './masks/recognise.ts'
import { staysUnread, type Policy, policyOf } from './policy.ts'
import { keeps } from './retention.ts'

/** An output of this share of the window is worth an extract at once: no keep window helps later. */
const LARGE_SHARE = 0.05
const LARGE_TOKENS = 10_000

/** Many more than are kept: those with an extract are taken out later, where that is known. */
const MAX_DUE = 200
/** A longer call id is no provider's: the mission's one row would not hold many. */
const MAX_CALL_ID = 512

/** A look at a transcript of which some results are sent masked; no policy or window is applied yet. */
export function lookAt(
  reading: Reading,
  counted: CountedRequest,
  masked: ReadonlyMap<string, unknown> = new Map(),
): Look {
  const bytes = textBytes(reading)
  const pictured = new Set(reading.pieces.map((piece) => ('image' in piece ? piece.result : null)))
  const outputs = reading.results.map((result, index) => ({
    call_id: result.call_id,
    tool: placeholderTool(result.tool),
    turn: result.turn,
    bytes: bytes.get(result.pointer) ?? 0,
    pictured: pictured.has(result.pointer),
    tokens: counted.by_result.get(result.pointer) ?? 0,
    later: reading.results.length - 1 - index,
    open: isOpen(result) && !masked.has(result.pointer),
    fresh: result.fresh,
    reads_back: result.reads_back,
  }))
  return { turns: reading.turns, outputs: outputs.filter(matters) }
}

/**
 * The turns of a look, how many outputs a mask would replace now, and which large ones no extract
 * keeps yet, the largest first.
 */
function seenIn(
  { turns, outputs }: Look,
  policy: Policy,
  masking: MaskingState,
  window_tokens: number | null,
): Seen {
  const kept = keeps(policy, masking)
  const maskable = outputs.filter(
    (one) =>
      one.open &&
      worthMasking(one.tokens) &&
      one.later >= policy.keep &&
      !staysUnread(one, policy) &&
      !kept({ ...one, ref: null, bytes: sizeOf(one) }),
  )
  const clearable = maskable.reduce((sum, { tokens }) => sum + tokens - PLACEHOLDER_TOKENS, 0)
  const enough = clearable >= policy.clear_at_least_tokens
  const extracts_due = extractsDue(outputs, window_tokens)
  return { turns, maskable: enough ? maskable.length : 0, extracts_due }
}

/** The context after a look at its transcript: what a mask would replace, and what wants an extract. */
export function seeOutputs<S extends Core & HasContext & HasMasking>(
  state: S,
  look: Look,
  named: Named,
): S {
  const { context, masking, settings } = state
  const { window_tokens } = scaleOf(settings, named)
  const { extracts_due, maskable } = seenIn(look, policyOf(settings), masking, window_tokens)
  return { ...state, context: { ...context, extracts_due, maskable } }
}

/** The large outputs, the largest first. */
export const extractsDue = (
  outputs: readonly Output[],
  window_tokens: number | null,
): readonly ExtractDue[] => largestFirst(outputs.flatMap((one) => dueOf(one, window_tokens)))

/** The list with one more output on it, where that wants an extract. */
export const withDue = (
  due: readonly ExtractDue[],
  one: Output,
  window_tokens: number | null,
): readonly ExtractDue[] => largestFirst([...due, ...dueOf(one, window_tokens)])

type Output = Pick<OutputSeen, 'call_id' | 'tool' | 'turn' | 'bytes' | 'tokens'>

function dueOf(one: Output, window_tokens: number | null): ExtractDue[] {
  const { call_id, tool, turn, bytes } = one
  if (!wantsExtract(bytes) || call_id.length > MAX_CALL_ID) return []
  const large = window_tokens === null ? LARGE_TOKENS : LARGE_SHARE * window_tokens
  return [{ call_id, tool, turn, bytes, ...(one.tokens >= large ? { urgent: true } : {}) }]
}

const largestFirst = (due: readonly ExtractDue[]): readonly ExtractDue[] =>
  due.toSorted((one, other) => other.bytes - one.bytes).slice(0, MAX_DUE)

/** How much text each result holds, in one piece or in several. */
function textBytes({ pieces }: Reading): ReadonlyMap<string, number> {
  const bytes = new Map<string, number>()
  for (const piece of pieces)
    if (piece.result !== undefined && 'text' in piece)
      bytes.set(piece.result, (bytes.get(piece.result) ?? 0) + utf8Length(piece.text))
  return bytes
}

/** At least so many bytes: an image's source is longer than its texts, and not known here. */
const sizeOf = ({ bytes, pictured, tokens }: OutputSeen): number =>
  pictured ? Math.max(bytes, 4 * tokens) : bytes

const matters = (one: OutputSeen): boolean =>
  (one.open && worthMasking(one.tokens)) || wantsExtract(one.bytes)

const wantsExtract = (bytes: number): boolean => bytes >= LARGE_OUTPUT_BYTES
const worthMasking = (tokens: number): boolean => tokens > PLACEHOLDER_TOKENS

const isOpen = (result: ToolResult): boolean =>
  result.has_call && result.supported && result.final && placeholderOf(result) === null
