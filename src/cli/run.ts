import { CommandError } from './exit.ts'

/**
 * Runs a program to its end: an expected failure is one line on stderr and its exit code, a bug
 * keeps its stack. A reader that went away (`| head`) ends it silently.
 */
export async function run(main: () => Promise<unknown>): Promise<void> {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EPIPE') process.exit(0)
      throw cause
    })
  try {
    await main()
  } catch (cause) {
    // Stopped by a signal: what was started has been ended, and the user knows.
    if (cause instanceof DOMException && cause.name === 'AbortError') return
    if (!(cause instanceof CommandError)) throw cause
    process.stderr.write(`error: ${cause.message}\n`)
    process.exitCode = cause.exit
  }
}

/** Aborts on Ctrl-C, and when the process is asked to end or its terminal goes away. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => controller.abort())
  return controller.signal
}

export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
