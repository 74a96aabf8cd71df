import { FOLD_RATIO_ALARM } from './ratio.ts'

/** How many of the last folds are looked at, and how many of them make a pattern. */
export const RATIO_WINDOW = 5
const PATTERN = 3

interface RatioPattern {
  readonly pattern: boolean
  readonly advice: string | null
}

/** What the last folds say together, newest first: the seed's feedback on Locate. */
export function ratioPattern(ratios: readonly (number | null)[]): RatioPattern {
  const known = ratios.filter((ratio) => ratio !== null).slice(0, RATIO_WINDOW)
  const over = known.filter((ratio) => ratio > FOLD_RATIO_ALARM).length
  if (over < PATTERN) return { pattern: false, advice: null }
  return {
    pattern: true,
    advice: `fold_ratio was above ${FOLD_RATIO_ALARM} in ${over} of the last ${known.length} missions: revisit Locate, it is probably reading too much.`,
  }
}
