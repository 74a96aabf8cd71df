import { createHash } from 'node:crypto'
import type { Ref } from '../../domain/digest.ts'
import { parseSha256, formatRef } from '../../domain/digest.ts'
import { resolvePointer } from '../../domain/json/pointer.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import { imageTokens } from '../../domain/transcript/count.ts'
import type { Piece, ToolResult } from '../../domain/transcript/lens.ts'
import { formatPlaceholder, placeholderTool } from '../../domain/masking/placeholder.ts'
import type { Segment, Session as CountedSession } from './cost-model.ts'
import type { Session } from './session.ts'

/** A session as the cost model sees it: counted once, each result with what its placeholder costs. */
export function segmentsOf(session: Session, count: CountTokens): CountedSession {
  const request = session.withMessages([...session.messages])
  const reading = session.lens.read(request)
  if (!reading.ok) return { segments: [], calls: [] }
  const results = new Map(reading.value.results.map((result) => [result.pointer, result]))
  const segments: Segment[] = []
  const before: number[] = []
  let open: string | undefined
  for (const piece of reading.value.pieces) {
    // Where each message begins; what has no message stands before them all.
    const message = messageOf(session, piece)
    while (before.length <= message) before.push(segments.length)
    const tokens = 'text' in piece ? count(piece.text) : imageTokens(piece.image)
    const last = segments.at(-1)
    if (piece.result !== undefined && piece.result === open && last !== undefined)
      segments[segments.length - 1] = { ...last, tokens: last.tokens + tokens }
    else {
      const result = piece.result === undefined ? undefined : results.get(piece.result)
      segments.push(
        result === undefined ? { tokens } : { tokens, result: masked(request, result, count) },
      )
    }
    open = piece.result
  }
  return { segments, calls: session.calls.map((end) => before[end] ?? segments.length) }
}

function messageOf({ pointer }: Session, piece: Piece): number {
  const at = piece.pointer
  if (!at.startsWith(`${pointer}/`)) return -1
  const index = Number(at.slice(pointer.length + 1).split('/', 1)[0])
  return Number.isInteger(index) ? index : -1
}

function masked(
  request: unknown,
  result: ToolResult,
  count: CountTokens,
): NonNullable<Segment['result']> {
  const value = resolvePointer(request, result.whole.pointer) ?? null
  const text = result.text ?? JSON.stringify(value)
  const { tool, is_error } = result
  const placeholder = formatPlaceholder({
    tool: placeholderTool(tool),
    ref: refOf(text),
    form: result.text === null ? 'json' : 'text',
    is_error,
    extract: null,
  })
  return { bytes: Buffer.byteLength(text), placeholder_tokens: count(placeholder) }
}

function refOf(text: string): Ref {
  const digest = parseSha256(createHash('sha256').update(text).digest('hex'))
  if (digest === null) throw new Error('a digest is 64 hex digits')
  return formatRef(digest)
}
