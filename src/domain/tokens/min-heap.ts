/** A binary heap of doubles, the lowest first; it grows where `capacity` was too little. */
export function createMinHeap(capacity: number) {
  let entries = new Float64Array(Math.max(1, capacity))
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
