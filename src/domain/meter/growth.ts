/** Running sums of a least-squares line through tokens per call: O(1) a call, JSON. */
export interface Line {
  readonly calls: number
  readonly sum: number
  /** The sum of call number × tokens. */
  readonly moment: number
}

/**
 * How the cost of a session grows with its calls. `quadratic`: each call sends more than the one
 * before, so the total outruns the calls. `linear`: the calls stay about alike. `flat`: too few calls
 * to tell.
 */
export type Growth = 'flat' | 'linear' | 'quadratic'

export const NO_CALLS: Line = { calls: 0, sum: 0, moment: 0 }

// A line through fewer points says more of the noise than of the session.
const FEWEST_CALLS = 10

export const addCall = (line: Line, tokens: number): Line => ({
  calls: line.calls + 1,
  sum: line.sum + tokens,
  moment: line.moment + (line.calls + 1) * tokens,
})

/**
 * Quadratic where the fitted rise makes up more than half of the total: calls that grow from nothing
 * have all of it in the rise, calls that stay alike have none.
 */
export function growthOf(line: Line): Growth {
  const { calls, sum, moment } = line
  if (calls < FEWEST_CALLS || sum === 0) return 'flat'
  const middle = (calls + 1) / 2
  const slope = (moment - middle * sum) / ((calls * (calls * calls - 1)) / 12)
  const rise = (slope * (calls - 1)) / 2
  return rise > 0.5 * (sum / calls) ? 'quadratic' : 'linear'
}
