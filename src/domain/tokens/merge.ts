import { createMinHeap } from './min-heap.ts'
import { MULTIPLIER, NO_RANK, type RankTable } from './rank-table.ts'

/** The rank of the bytes `[from, to)` of the piece at hand, NO_RANK where they are no token. */
type RankOf = (from: number, to: number) => number

/** Up to here the scan for the lowest pair is cheaper than a heap. */
const SHORT = 128

/**
 * The merging of tiktoken: again and again the adjacent pair of the lowest rank, the leftmost of
 * equals, until none is a token. Counts the tokens left of a piece that is no token itself.
 */
export function createMerger(table: RankTable) {
  const { longest } = table
  const starts = new Int32Array(SHORT + 1)
  const ranks = new Int32Array(SHORT + 1)
  const shortHashes = new Int32Array(SHORT + 1)
  const powers = new Int32Array(longest + 1)
  powers[0] = 1
  for (let power = 1; power <= longest; power++)
    powers[power] = Math.imul(powers[power - 1] as number, MULTIPLIER)

  let piece: Uint8Array = new Uint8Array(0)
  let offset = 0
  let hashes = shortHashes

  const rankOf: RankOf = (from, to) => {
    const size = to - from
    if (size > longest) return NO_RANK
    const before = Math.imul(hashes[from] as number, powers[size] as number)
    const hash = ((hashes[to] as number) - before) | 0
    return table.rankOf(piece, offset + from, offset + to, hash)
  }

  return (bytes: Uint8Array, start: number, end: number): number => {
    const length = end - start
    piece = bytes
    offset = start
    hashes = length <= SHORT ? shortHashes : new Int32Array(length + 1)
    let hash = 0
    for (let at = 0; at < length; at++) {
      hash = (Math.imul(hash, MULTIPLIER) + (bytes[start + at] as number)) | 0
      hashes[at + 1] = hash
    }
    return length <= SHORT
      ? mergeByScan(length, rankOf, starts, ranks)
      : mergeByHeap(length, rankOf)
  }
}

function mergeByScan(length: number, rankOf: RankOf, starts: Int32Array, ranks: Int32Array) {
  let count = length
  for (let at = 0; at < length; at++) {
    starts[at] = at
    ranks[at] = at + 1 < length ? rankOf(at, at + 2) : NO_RANK
  }
  for (;;) {
    let lowest = NO_RANK
    let pair = 0
    for (let at = 0; at < count - 1; at++) {
      const rank = ranks[at] as number
      if (rank < lowest) {
        lowest = rank
        pair = at
      }
    }
    if (lowest === NO_RANK) return count
    count -= 1
    for (let at = pair + 1; at < count; at++) {
      starts[at] = starts[at + 1] as number
      ranks[at] = ranks[at + 1] as number
    }
    const endOf = (at: number): number => (at + 1 < count ? (starts[at + 1] as number) : length)
    ranks[pair] = pair + 1 < count ? rankOf(starts[pair] as number, endOf(pair + 1)) : NO_RANK
    if (pair > 0) ranks[pair - 1] = rankOf(starts[pair - 1] as number, endOf(pair))
  }
}

// A heap entry is rank * POSITIONS + position: the order of the merges, exact in a double.
const POSITIONS = 2 ** 24

/** O(n log n), where the plain scan is quadratic in the piece (openai/tiktoken#195). */
function mergeByHeap(length: number, rankOf: RankOf): number {
  const after = new Int32Array(length + 1)
  const before = new Int32Array(length + 1)
  const ranks = new Int32Array(length + 1).fill(NO_RANK)
  const heap = createMinHeap(length)
  const judge = (at: number): void => {
    const second = after[at] as number
    const rank = second < length ? rankOf(at, after[second] as number) : NO_RANK
    ranks[at] = rank
    if (rank !== NO_RANK) heap.push(rank * POSITIONS + at)
  }
  for (let at = 0; at <= length; at++) {
    after[at] = at + 1
    before[at] = at - 1
  }
  for (let at = 0; at < length - 1; at++) judge(at)
  let count = length
  for (let entry = heap.pop(); entry !== undefined; entry = heap.pop()) {
    const at = entry % POSITIONS
    // An entry whose pair has changed or gone since it was pushed is stale.
    if (ranks[at] !== (entry - at) / POSITIONS) continue
    const gone = after[at] as number
    const second = after[gone] as number
    after[at] = second
    before[second] = at
    ranks[gone] = NO_RANK
    count -= 1
    judge(at)
    if (at > 0) judge(before[at] as number)
  }
  return count
}
