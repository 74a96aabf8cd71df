import type { Problem } from '../contract/problem.ts'

/** Why a call failed. */
export class FoldexError extends Error {
  override readonly name = 'FoldexError'
  /**
   * The problem's own, or one of the client's: `unreachable` without an answer (refused, reset, cut
   * off, or too slow); `unexpected_answer` where it is not what the contract says, so perhaps not from
   * Foldex at all; `wrong_bytes` where they do not hash to the digest that was asked for, and none are
   * given out; `edits_refused` where the caller's request changed meanwhile or is frozen, and none is
   * applied.
   */
  readonly code: string
  /** The HTTP status, or 0 where there was no answer. */
  readonly status: number
  /** The problem as the service sent it (RFC 9457), where it sent one. */
  readonly problem: Problem | null
  /** Seconds to wait, where the service named them and they are more than the client waits. */
  readonly retry_after_s: number | null

  constructor(
    code: string,
    message: string,
    rest: {
      readonly status?: number
      readonly problem?: Problem
      readonly retry_after_s?: number
      readonly cause?: unknown
    } = {},
  ) {
    super(message, { cause: rest.cause })
    this.code = code
    this.status = rest.status ?? 0
    this.problem = rest.problem ?? null
    this.retry_after_s = rest.retry_after_s ?? null
  }
}

/** The error of an answer that is no success, with the problem's own words where it has some. */
export function answerError(status: number, problem: Problem | null, wait: number | null) {
  const waits = wait === null ? {} : { retry_after_s: wait }
  if (problem === null)
    return new FoldexError('unexpected_answer', `HTTP ${status} without a problem`, {
      status,
      ...waits,
    })
  const where = (problem.errors ?? []).map(({ pointer, detail }) => `${pointer} ${detail}`)
  const said = [problem.title, problem.detail, ...where].filter((text) => text !== undefined)
  return new FoldexError(problem.code, said.join(': '), { status, problem, ...waits })
}
