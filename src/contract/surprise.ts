import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'

/**
 * What a caller hears of an error that was thrown. What stores throw is a plain `Error` of the
 * platform, and trying again can help; the language's own error classes are defects of ours.
 */
export const failureOfSurprise = (error: unknown): Failure =>
  failure(isDefect(error) ? 'internal' : 'temporarily_unavailable')

const isDefect = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof ReferenceError ||
  error instanceof SyntaxError
