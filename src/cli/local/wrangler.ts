import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, EXIT } from '../terminal/exit.ts'

// No telemetry, no look for a newer version, no log files, no request for a sample of `Request.cf`:
// what runs here talks to nobody but the person who started it.
const QUIET = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_NO_SKILLS_UPDATE_PROMPTS: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}
const KEPT_OUTPUT = 65_536

/** A running wrangler and the end of what it printed. */
export interface Wrangler {
  readonly child: ChildProcess
  readonly output: () => string
  /** The exit code, or null where a signal ended it. */
  readonly exited: Promise<number | null>
}

/**
 * Starts the checkout's own wrangler in a process group of its own, so that a Ctrl-C in the terminal
 * reaches us alone and we end it in order. `input` is what it reads, else it reads nothing.
 */
export function spawnWrangler(
  root: string,
  args: readonly string[],
  options: { readonly input?: string } = {},
): Wrangler {
  const child = spawn(
    nodeOf(root),
    [join(root, 'node_modules/wrangler/bin/wrangler.js'), ...args],
    {
      cwd: root,
      detached: process.platform !== 'win32',
      env: { ...process.env, ...QUIET },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
  let kept = ''
  const keep = (chunk: string): void => {
    kept = (kept + chunk).slice(-KEPT_OUTPUT)
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', (cause) => {
      keep(String(cause))
      resolve(1)
    })
    child.once('close', (code) => resolve(code))
  })
  return { child, output: () => kept, exited }
}

/** Runs wrangler to its end and gives what it printed; a failure shows all of it. */
export async function runWrangler(
  root: string,
  args: readonly string[],
  options: { readonly input?: string; readonly signal?: AbortSignal } = {},
): Promise<string> {
  const wrangler = spawnWrangler(root, args, options)
  const stop = (): void => void stopWrangler(wrangler)
  options.signal?.addEventListener('abort', stop, { once: true })
  const code = await wrangler.exited
  options.signal?.removeEventListener('abort', stop)
  options.signal?.throwIfAborted()
  if (code === 0) return wrangler.output()
  process.stderr.write(wrangler.output())
  throw new CommandError(EXIT.unavailable, `wrangler ${args.slice(0, 3).join(' ')} failed`)
}

/** Ends wrangler and the workerd below it, in order or, after five seconds, at once. */
export async function stopWrangler(wrangler: Wrangler): Promise<void> {
  signal(wrangler.child, 'SIGINT')
  const timer = setTimeout(() => signal(wrangler.child, 'SIGKILL'), 5_000)
  await wrangler.exited
  clearTimeout(timer)
}

// wrangler needs a newer Node than the machine may have; the checkout brings one along.
function nodeOf(root: string): string {
  const own = join(
    root,
    'node_modules/node/bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  return existsSync(own) ? own : process.execPath
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(name)
    else process.kill(-child.pid, name)
  } catch {
    // It has ended by itself.
  }
}
