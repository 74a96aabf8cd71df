import { utf8 } from '../bytes.ts'
import type { CountTokens } from '../tokens.ts'
import { createPieceCounter } from './piece-counter.ts'
import { pieceEnd } from './pieces.ts'
import { createRankTable, type Vocabulary } from './rank-table.ts'

/** The longest piece merged as one; it bounds the memory of the heap (about 10 MB). */
export const LONGEST_PIECE_BYTES = 262_144

/**
 * Counts o200k_base tokens as tiktoken's `encode_ordinary` does, on any string: special tokens are
 * text, U+FEFF is a character, lone surrogates count as U+FFFD. Takes time O(n log n) whatever the
 * text. Exact, but for an unbroken piece (one word, one run of spaces) of over 262,144 bytes, which
 * is counted in slices of that size: at most a few tokens off per slice.
 */
export function createO200kCounter(vocabulary: Vocabulary): CountTokens {
  const countPiece = createPieceCounter(createRankTable(vocabulary))
  return (text) => {
    const bytes = utf8(text)
    let count = 0
    for (let start = 0; start < bytes.length;) {
      const end = pieceEnd(bytes, start)
      while (end - start > LONGEST_PIECE_BYTES) {
        const cut = characterStart(bytes, start + LONGEST_PIECE_BYTES)
        count += countPiece(bytes, start, cut)
        start = cut
      }
      count += countPiece(bytes, start, end)
      start = end
    }
    return count
  }
}

/** The start of the character that a byte belongs to. */
function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
