import type { FoldexError } from '../../client/failure.ts'

/** How a command ends; `foldex --help` lists them. */
export const EXIT = {
  ok: 0,
  /** A wrong option, argument or file name. */
  usage: 1,
  /** The Worker or a validator refused what it was given. */
  rejected: 2,
  not_found: 3,
  /** No token, or one that is expired, revoked or too narrow. */
  access: 4,
  /** The Worker can't be reached, or can't answer now. */
  unavailable: 5,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An end that the user is told of in one line; anything else that is thrown is a bug. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exit: ExitCode

  constructor(exit: ExitCode, message: string) {
    super(message)
    this.exit = exit
  }
}

/** How a command ends when the Worker, or the way to it, fails a call. */
export function exitOf({ code, status }: FoldexError): ExitCode {
  if (code === 'unreachable' || code === 'unexpected_answer' || status >= 500)
    return EXIT.unavailable
  if (status === 401 || status === 403) return EXIT.access
  if (status === 429) return EXIT.unavailable
  return status === 404 ? EXIT.not_found : EXIT.rejected
}
