const TIMES = 16
/** Long beside the steps in which an operating system may count CPU time. */
const MEASURED_US = 20_000

/**
 * How many times the CPU time of a run grows with 16 times the input: about 16 for a linear run, 256
 * for a quadratic one.
 */
export async function cpuGrowth(run: (size: number) => unknown, size: number): Promise<number> {
  const small = await cpuTime(() => run(size))
  return (await cpuTime(() => run(size * TIMES))) / small
}

async function cpuTime(run: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  for (let runs = 1; ; runs++) {
    await run()
    const { user, system } = process.threadCpuUsage(start)
    if (user + system >= MEASURED_US) return (user + system) / runs
  }
}
