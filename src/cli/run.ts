import { constants } from 'node:os'
import { FoldexError } from '../client/failure.ts'
import { harmlessLine } from '../domain/terminal.ts'
import { CommandError, exitOf } from './terminal/exit.ts'
import type { ExitCode } from './terminal/exit.ts'

/**
 * Runs a program to its end: an expected failure is one line on stderr and its exit code, a bug
 * keeps its stack. A reader that went away (`| head`) ends it silently.
 */
export async function run(main: () => Promise<unknown>): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      // Without a code: the one of a run that was rejected or failed counts.
      if (cause.code === 'EPIPE') process.exit()
      throw cause
    })
  try {
    await main()
  } catch (cause) {
    // Stopped by a signal: what was started has been ended, and the user knows.
    if (cause instanceof DOMException && cause.name === 'AbortError') return
    if (cause instanceof CommandError) fail(cause.exit, cause.message)
    else if (cause instanceof FoldexError) fail(exitOf(cause), lineOf(cause))
    else throw cause
  }
}

/**
 * Aborts on Ctrl-C, and when the process is asked to end or its terminal goes away. The exit code is
 * that of a shell for a command which a signal ended, 128 and its number.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      process.exitCode = 128 + constants.signals[name]
      controller.abort()
    })
  return controller.signal
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** One line, whatever a document or an answer that it quotes has in it. */
function fail(exit: ExitCode, message: string): void {
  process.stderr.write(`error: ${harmlessLine(message)}\n`)
  process.exitCode = exit
}

/** With the service's own hint. */
function lineOf({ code, message, problem }: FoldexError): string {
  const advice = code === 'unreachable' ? 'Is the Worker running?' : problem?.hint
  const hint = advice === undefined ? '' : `. ${advice}`
  return `${message}${hint}`
}
