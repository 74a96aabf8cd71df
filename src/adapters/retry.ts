/** How a store is waited for; given from outside, so that tests neither wait nor guess. */
export interface Patience {
  /** In [0, 1): the jitter that keeps callers from coming back all at once. */
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Unix milliseconds. */
  readonly now: () => number
}

export const systemPatience: Patience = {
  random: Math.random,
  sleep: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  now: Date.now,
}

const TRIES = 3
const FIRST_WAIT_MS = 200
const LAST_WAIT_MS = 400
const TOTAL_MS = 5_000

/**
 * Does idempotent work up to three times with full jitter between, as long as its errors pass by
 * themselves and no more than five seconds are gone. The last error is thrown as it came.
 */
export async function retry<T>(
  patience: Patience,
  isTransient: (error: unknown) => boolean,
  work: () => Promise<T>,
): Promise<T> {
  const start = patience.now()
  for (let tried = 1; ; tried++) {
    try {
      return await work()
    } catch (error) {
      const late = patience.now() - start >= TOTAL_MS
      if (tried >= TRIES || late || !isTransient(error)) throw error
      const ceiling = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tried - 1))
      await patience.sleep(patience.random() * ceiling)
    }
  }
}

/** Work that is given up after `ms`. It may still take effect later: only for what is idempotent. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(ms)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'
  constructor(ms: number) {
    super(`no answer within ${ms} ms`)
  }
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
