import type { CountTokens } from '../tokens.ts'
import type { ImageShape, Lens, Piece } from './lens.ts'

export interface CountedRequest {
  readonly tokens: number
  /** Tokens of each tool result, by its pointer. */
  readonly by_result: ReadonlyMap<string, number>
  /** Tokens before each tool result, by its pointer: what a prompt cache keeps when it changes. */
  readonly before_result: ReadonlyMap<string, number>
  /** Everything that costs tokens, in transcript order; a tool result is one item. */
  readonly items: readonly CountedItem[]
}

export interface CountedItem {
  readonly pointer: string
  readonly tokens: number
}

/** The tokens of a request: instructions, tools, messages. One pass, one count per text. */
export const countRequest = (lens: Lens, request: unknown, count: CountTokens): CountedRequest =>
  countPieces(lens.pieces(request), count)

/** The same from pieces that were read before; results whose tokens are `known` are not counted. */
export function countPieces(
  pieces: Iterable<Piece>,
  count: CountTokens,
  known: ReadonlyMap<string, number> = new Map(),
): CountedRequest {
  const by_result = new Map<string, number>()
  const before_result = new Map<string, number>()
  const items: CountedItem[] = []
  let tokens = 0
  for (const piece of pieces) {
    const of = piece.result === undefined ? undefined : known.get(piece.result)
    const cost =
      of === undefined ? costOf(piece, count) : by_result.has(piece.result ?? '') ? 0 : of
    if (piece.result === undefined) items.push({ pointer: piece.pointer, tokens: cost })
    else {
      if (!by_result.has(piece.result)) before_result.set(piece.result, tokens)
      by_result.set(piece.result, (by_result.get(piece.result) ?? 0) + cost)
    }
    tokens += cost
  }
  for (const [pointer, cost] of by_result) items.push({ pointer, tokens: cost })
  return { tokens, by_result, before_result, items }
}

const costOf = (piece: Piece, count: CountTokens): number =>
  'text' in piece ? count(piece.text) : imageTokens(piece.image)

const LONGEST_EDGE = 1568
const PIXELS_PER_TOKEN = 750
const MOST_IMAGE_TOKENS = 1600
const LOW_DETAIL_TOKENS = 85

/**
 * The tokens of an image from its size: width x height / 750 after scaling to 1,568 pixels, at
 * most 1,600 (Anthropic's vision guide), 85 in low detail (OpenAI's). The most where unknown.
 */
export function imageTokens({ width, height, detail }: ImageShape): number {
  if (detail === 'low') return LOW_DETAIL_TOKENS
  if (width === undefined || height === undefined) return MOST_IMAGE_TOKENS
  const scale = Math.min(1, LONGEST_EDGE / Math.max(width, height))
  const pixels = width * scale * (height * scale)
  return Math.min(MOST_IMAGE_TOKENS, Math.max(1, Math.ceil(pixels / PIXELS_PER_TOKEN)))
}
