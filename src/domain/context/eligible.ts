/** Assistant turns, counted from 1, both ends included. */
export interface TurnRange {
  readonly from: number
  readonly to: number
}

/** Seed step 5: one paragraph per 3-5 turns, from 10+ turns ago, never over a summary. */
export const RANGE_TURNS = { least: 3, most: 5 } as const
export const RECENT_TURNS = 10

// An answer names the next few ranges, not hundreds of a long session.
const MOST_RANGES = 8

/**
 * The oldest ranges of a session of `turns` assistant turns that may be summarized: 3 to 5 turns, none
 * of the last 10, none that a summary covers already.
 */
export function eligibleRanges(
  turns: number,
  summarised: readonly TurnRange[],
): readonly TurnRange[] {
  const ranges: TurnRange[] = []
  const last = turns - RECENT_TURNS
  let from = 1
  for (const covered of [...summarised].sort((one, other) => one.from - other.from)) {
    cut(from, Math.min(covered.from - 1, last), ranges)
    from = Math.max(from, covered.to + 1)
  }
  cut(from, last, ranges)
  return ranges.slice(0, MOST_RANGES)
}

/** Whether a range may be summarized, judged as `eligibleRanges` would. */
export function isEligible(
  range: TurnRange,
  turns: number,
  summarised: readonly TurnRange[],
): 'eligible' | 'wrong_length' | 'too_recent' | 'summarised' {
  const length = range.to - range.from + 1
  if (range.from < 1 || length < RANGE_TURNS.least || length > RANGE_TURNS.most)
    return 'wrong_length'
  if (summarised.some((covered) => range.from <= covered.to && covered.from <= range.to))
    return 'summarised'
  return range.to > turns - RECENT_TURNS ? 'too_recent' : 'eligible'
}

/** Cuts the gap `[from, to]` into even ranges, oldest first; fewer than three turns stay. */
function cut(from: number, to: number, ranges: TurnRange[]): void {
  for (let start = from; to - start + 1 >= RANGE_TURNS.least && ranges.length < MOST_RANGES;) {
    const left = to - start + 1
    const length = Math.min(RANGE_TURNS.most, Math.ceil(left / Math.ceil(left / RANGE_TURNS.most)))
    ranges.push({ from: start, to: start + length - 1 })
    start += length
  }
}
