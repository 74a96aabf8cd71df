import { MULTIPLIER, NO_RANK, type RankTable } from './rank-table.ts'

/** Counts the tokens of the piece `bytes[start, end)` by byte-pair merging; at least one byte. */
export type CountPiece = (bytes: Uint8Array, start: number, end: number) => number

// Up to here the scan for the lowest pair is cheaper than a heap.
const SHORT = 128

/**
 * The merging of tiktoken: again and again the adjacent pair of the lowest rank, the leftmost of
 * equals, until none is a token. Pieces over `SHORT` bytes take a heap, so O(n log n), where the
 * plain scan is quadratic (openai/tiktoken#195).
 */
export function createPieceCounter(table: RankTable): CountPiece {
  const starts = new Int32Array(SHORT + 2)
  const ranks = new Int32Array(SHORT + 2)
  const shortHashes = new Int32Array(SHORT + 1)
  const powers = new Int32Array(table.longest + 1)
  powers[0] = 1
  for (let power = 1; power < powers.length; power++)
    powers[power] = Math.imul(powers[power - 1] as number, MULTIPLIER)

  return (bytes, start, end) => {
    const length = end - start
    if (length === 1) return 1
    const hashes = length <= SHORT ? shortHashes : new Int32Array(length + 1)
    fillHashes(hashes, bytes, start, end)
    if (length <= table.longest) {
      const whole = table.rankOf(bytes, start, end, hashes[length] as number)
      if (whole !== NO_RANK) return 1
    }
    const rankOf = (from: number, to: number): number => {
      const size = to - from
      if (size > table.longest) return NO_RANK
      const before = Math.imul(hashes[from] as number, powers[size] as number)
      return table.rankOf(bytes, start + from, start + to, ((hashes[to] as number) - before) | 0)
    }
    return length <= SHORT
      ? mergeByScan(length, rankOf, starts, ranks)
      : mergeByHeap(length, rankOf)
  }
}

/** `hashes[i]` becomes the rolling hash of the first i bytes. */
function fillHashes(hashes: Int32Array, bytes: Uint8Array, start: number, end: number): void {
  let hash = 0
  for (let at = start; at < end; at++) {
    hash = (Math.imul(hash, MULTIPLIER) + (bytes[at] as number)) | 0
    hashes[at - start + 1] = hash
  }
}

type RankOf = (from: number, to: number) => number

function mergeByScan(length: number, rankOf: RankOf, starts: Int32Array, ranks: Int32Array) {
  let count = length
  for (let at = 0; at <= length; at++) starts[at] = at
  for (let at = 0; at < length - 1; at++) ranks[at] = rankOf(at, at + 2)
  while (count > 1) {
    let lowest = NO_RANK
    let pair = 0
    for (let at = 0; at < count - 1; at++) {
      const rank = ranks[at] as number
      if (rank < lowest) {
        lowest = rank
        pair = at
      }
    }
    if (lowest === NO_RANK) break
    starts.copyWithin(pair + 1, pair + 2, count + 1)
    ranks.copyWithin(pair, pair + 1, count - 1)
    count -= 1
    if (pair < count - 1) ranks[pair] = rankOf(starts[pair] as number, starts[pair + 2] as number)
    if (pair > 0) ranks[pair - 1] = rankOf(starts[pair - 1] as number, starts[pair + 1] as number)
  }
  return count
}

function mergeByHeap(length: number, rankOf: RankOf): number {
  const after = new Int32Array(length + 1)
  const before = new Int32Array(length + 1)
  const ranks = new Int32Array(length + 1).fill(NO_RANK)
  const heap = createHeap(length)
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

// A heap entry is rank * POSITIONS + position: the order of the merges, exact in a double.
const POSITIONS = 2 ** 24

function createHeap(capacity: number) {
  let entries = new Float64Array(capacity)
  let size = 0
  return {
    push(entry: number): void {
      if (size === entries.length) {
        const larger = new Float64Array(size * 2)
        larger.set(entries)
        entries = larger
      }
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        const above = entries[parent] as number
        if (above <= entry) break
        entries[at] = above
        at = parent
      }
      entries[at] = entry
    },
    pop(): number | undefined {
      if (size === 0) return undefined
      const lowest = entries[0]
      const moved = entries[--size] as number
      let at = 0
      for (let child = 1; child < size; child = 2 * at + 1) {
        if (child + 1 < size && (entries[child + 1] as number) < (entries[child] as number)) child++
        if ((entries[child] as number) >= moved) break
        entries[at] = entries[child] as number
        at = child
      }
      entries[at] = moved
      return lowest
    },
  }
}
