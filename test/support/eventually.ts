import { vi } from 'vitest'

/** Waits for what happens behind an answer. The limit is for a busy machine: it decides no test. */
export const eventually = (expectation: () => void | Promise<void>): Promise<void> =>
  vi.waitFor(expectation, { timeout: 120_000, interval: 20 })
