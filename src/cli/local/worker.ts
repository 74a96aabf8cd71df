import { mkdirSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError, EXIT } from '../terminal/exit.ts'
import { checkout } from './checkout.ts'
import { ENV_FILE, ensureSigningKeys } from './signing-key.ts'
import { runWrangler, spawnWrangler, stopWrangler } from './wrangler.ts'
import type { Wrangler } from './wrangler.ts'

const READY_WITHIN_MS = 60_000

interface LocalWorker {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Settles when the Worker ends by itself, with the end of what it printed. */
  readonly ended: Promise<string>
}

/**
 * Starts the Worker in workerd on 127.0.0.1, with its key and its storage in `folder`, and resolves
 * when it answers. Port 0 takes any that is free; the signal ends a start that is under way.
 */
export async function startWorker(
  folder: string,
  port: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<LocalWorker> {
  const root = checkout()
  const taken = await freePort(port)
  const state = join(folder, 'state')
  mkdirSync(state, { recursive: true, mode: 0o700 })
  ensureSigningKeys(folder)
  await migrate(root, state, signal)
  const wrangler = spawnWrangler(root, [
    'dev',
    '--ip=127.0.0.1',
    `--port=${taken}`,
    `--inspector-port=${await freePort(0)}`,
    `--persist-to=${state}`,
    `--env-file=${join(folder, ENV_FILE)}`,
    // A page must not reach this machine's Worker through a name of its own (DNS rebinding).
    '--var=ALLOWED_HOSTS:127.0.0.1,localhost',
    '--log-level=error',
    '--show-interactive-dev-session=false',
  ])
  const url = `http://127.0.0.1:${taken}`
  try {
    await answers(url, wrangler, signal)
  } catch (cause) {
    await stopWrangler(wrangler)
    throw cause
  }
  return {
    url,
    stop: () => stopWrangler(wrangler),
    ended: wrangler.exited.then(() => wrangler.output()),
  }
}

async function migrate(root: string, state: string, signal: AbortSignal): Promise<void> {
  const folder = join(root, 'src/adapters/migrations')
  if (!readdirSync(folder).some((name) => name.endsWith('.sql'))) return
  const apply = ['d1', 'migrations', 'apply', 'LOGS', '--local', `--persist-to=${state}`]
  await runWrangler(root, apply, { signal })
}

// Asks for the port before workerd does, since its own complaint is a page long.
function freePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'is in use' : `can't be used (${cause.code})`
      reject(new CommandError(EXIT.usage, `port ${port} ${reason}; choose another with --port`))
    })
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      const got = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve(got))
    })
  })
}

async function answers(url: string, wrangler: Wrangler, signal: AbortSignal): Promise<void> {
  let ended = false
  void wrangler.exited.then(() => {
    ended = true
  })
  const until = Date.now() + READY_WITHIN_MS
  // Where the source does not build, wrangler says so and waits for it to change.
  while (!ended && Date.now() < until && !wrangler.output().includes('ERROR')) {
    signal.throwIfAborted()
    try {
      const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) })
      await response.arrayBuffer()
      if (response.ok) return
    } catch {
      // Not up yet.
    }
    await sleep(100)
  }
  process.stderr.write(wrangler.output())
  throw new CommandError(
    EXIT.unavailable,
    ended ? 'the Worker did not start' : `the Worker did not answer at ${url}/healthz`,
  )
}
