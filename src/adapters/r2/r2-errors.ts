import { messageOf } from '../retry.ts'

/** R2 takes one write a second to one key; a second writer of an excerpt writes the same bytes. */
export const TOO_MANY_WRITES = 10058

const TRAILING_CODE = /\((\d{5,6})\)$/
const PASSING = new Set([10001, 10043])

/** The code in R2's message, the only place where the binding gives it; null where there is none. */
export function r2Code(error: unknown): number | null {
  const match = TRAILING_CODE.exec(messageOf(error).slice(-16))
  return match === null ? null : Number(match[1])
}

/** Internal error, service unavailable or a lost connection; a TypeError is a wrong call. */
export function isTransient(error: unknown): boolean {
  const code = r2Code(error)
  return code === null ? !(error instanceof TypeError) : PASSING.has(code)
}
