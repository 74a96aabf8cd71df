/** One token of the vocabulary: its text, or its bytes where they are not UTF-8. Index is rank. */
export type Vocabulary = readonly (string | readonly number[])[]

/** The rank of what is no token: merges never choose it. */
export const NO_RANK = 0x7fff_ffff

/** The multiplier of the rolling hash: hash(b0..bn) = ((b0 * M + b1) * M + ...) modulo 2^32. */
export const MULTIPLIER = 0x01000193

export interface RankTable {
  /** The bytes of the longest token. */
  readonly longest: number
  /** The rank of `bytes[start, end)`, whose rolling hash is `hash`; NO_RANK where it is no token. */
  rankOf(bytes: Uint8Array, start: number, end: number, hash: number): number
}

/** An open-addressing table over one pool of bytes: no string is made to look a token up. */
export function createRankTable(vocabulary: Vocabulary): RankTable {
  const { pool, offsets, longest } = pooled(vocabulary)
  const size = 1 << (32 - Math.clz32(vocabulary.length * 2))
  const shift = Math.clz32(size) + 1
  const hashes = new Int32Array(vocabulary.length)
  const slots = new Int32Array(size).fill(-1)
  for (let rank = 0; rank < vocabulary.length; rank++) {
    const hash = hashOf(pool, offsets[rank] as number, offsets[rank + 1] as number)
    hashes[rank] = hash
    let slot = slotOf(hash, shift)
    while (slots[slot] !== -1) slot = (slot + 1) & (size - 1)
    slots[slot] = rank
  }
  return {
    longest,
    rankOf(bytes, start, end, hash) {
      const length = end - start
      if (length > longest) return NO_RANK
      for (let slot = slotOf(hash, shift); ; slot = (slot + 1) & (size - 1)) {
        const rank = slots[slot] as number
        if (rank === -1) return NO_RANK
        if (hashes[rank] !== hash) continue
        const from = offsets[rank] as number
        if ((offsets[rank + 1] as number) - from !== length) continue
        let same = 0
        while (same < length && bytes[start + same] === pool[from + same]) same += 1
        if (same === length) return rank
      }
    },
  }
}

const slotOf = (hash: number, shift: number): number =>
  Math.imul(hash ^ (hash >>> 15), 0x9e37_79b1) >>> shift

function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at++) hash = (Math.imul(hash, MULTIPLIER) + (bytes[at] ?? 0)) | 0
  return hash
}

function pooled(vocabulary: Vocabulary) {
  const encoder = new TextEncoder()
  const offsets = new Uint32Array(vocabulary.length + 1)
  let pool = new Uint8Array(1 << 21)
  let filled = 0
  let longest = 0
  for (let rank = 0; rank < vocabulary.length; rank++) {
    const token = vocabulary[rank] ?? []
    const most = filled + token.length * 3
    if (most > pool.length) {
      const larger = new Uint8Array(most * 2)
      larger.set(pool)
      pool = larger
    }
    if (typeof token === 'string') {
      filled += encoder.encodeInto(token, pool.subarray(filled)).written
    } else {
      pool.set(token, filled)
      filled += token.length
    }
    offsets[rank + 1] = filled
    longest = Math.max(longest, filled - (offsets[rank] ?? 0))
  }
  return { pool: pool.slice(0, filled), offsets, longest }
}
