import type { Patience } from '../../src/adapters/retry.ts'

/** Patience that never waits and remembers how long it would have. */
export function impatient(): Patience & { readonly waits: number[] } {
  const waits: number[] = []
  return {
    waits,
    random: () => 0.5,
    sleep: (ms) => {
      waits.push(ms)
      return Promise.resolve()
    },
    now: () => 0,
  }
}
