import type { CountTokens } from '../../../domain/tokens.ts'
import { imageTokens } from '../../../domain/transcript/count.ts'
import type { Piece } from '../../../domain/transcript/lens.ts'
import type { Session } from '../session.ts'
import type { CountedSession, Segment } from './cost-model.ts'

/** A session as the cost model sees it: counted once, a tool result in one piece. */
export function segmentsOf(session: Session, count: CountTokens): CountedSession {
  const request = session.withMessages([...session.messages])
  const reading = session.lens.read(request)
  if (!reading.ok) return { segments: [], calls: [] }
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
    else segments.push(piece.result === undefined ? { tokens } : { tokens, result: piece.result })
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
