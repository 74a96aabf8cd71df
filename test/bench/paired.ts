/** One line of a bench: ours against a named peer, as a ratio that has a goal. */
export interface Row {
  readonly name: string
  readonly ratio: number
  readonly goal: number
}

/** A bench module: what it compares, and its rows. */
export interface Bench {
  readonly title: string
  run(): Promise<readonly Row[]>
}

/**
 * How many times faster ours is: the median over pairs that run one after the other, so that a busy
 * machine slows both sides of a pair alike.
 */
export function speedup(ours: () => unknown, peers: () => unknown, pairs = 7): number {
  ours()
  peers()
  const ratios = Array.from({ length: pairs }, () => {
    const own = milliseconds(ours)
    return milliseconds(peers) / own
  })
  return median(ratios)
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN

/** CPU time of this process: other processes on the machine do not count. */
export function milliseconds(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return Math.max(0.001, (user + system) / 1000)
}
