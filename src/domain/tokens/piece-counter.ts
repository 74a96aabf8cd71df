import { createMerger } from './merge.ts'
import { MULTIPLIER, NO_RANK, type RankTable } from './rank-table.ts'

/** Counts the tokens of the piece `bytes[start, end)`, which has at least one byte. */
type CountPiece = (bytes: Uint8Array, start: number, end: number) => number

const SLOTS = 1 << 14
const LONGEST_KEPT = 64

/**
 * A piece that is a token counts 1 and most are; the others are merged. Their counts are kept, up to
 * 16,384 pieces of up to 64 bytes: exact, since the bytes themselves are compared.
 */
export function createPieceCounter(table: RankTable): CountPiece {
  const merge = createMerger(table)
  const kept = new Uint8Array(SLOTS * LONGEST_KEPT)
  const lengths = new Uint8Array(SLOTS)
  const counts = new Uint8Array(SLOTS)

  return (bytes, start, end) => {
    const length = end - start
    if (length === 1) return 1
    if (length > LONGEST_KEPT && length > table.longest) return merge(bytes, start, end)
    let hash = 0
    for (let at = start; at < end; at++)
      hash = (Math.imul(hash, MULTIPLIER) + (bytes[at] as number)) | 0
    if (table.rankOf(bytes, start, end, hash) !== NO_RANK) return 1
    if (length > LONGEST_KEPT) return merge(bytes, start, end)
    const slot = (Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b) >>> 18) & (SLOTS - 1)
    const from = slot * LONGEST_KEPT
    if (lengths[slot] === length) {
      let same = 0
      while (same < length && kept[from + same] === bytes[start + same]) same += 1
      if (same === length) return counts[slot] as number
    }
    const count = merge(bytes, start, end)
    for (let at = 0; at < length; at++) kept[from + at] = bytes[start + at] as number
    lengths[slot] = length
    counts[slot] = count
    return count
  }
}
