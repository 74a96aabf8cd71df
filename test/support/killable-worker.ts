import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { runWrangler } from '../../src/cli/local/wrangler.ts'

const ROOT = new URL('../..', import.meta.url).pathname

/** The Worker in a workerd of its own that can be killed; what it stored stays in `folder`. */
export interface KillableWorker {
  readonly url: URL
  readonly fetch: (request: Request) => Promise<Response>
  /** SIGKILL, sent before this returns: nothing is finished, flushed or closed. */
  readonly kill: () => Promise<void>
}

/** Bundles the Worker as a deployment would and gives the path of its only module. */
export async function bundle(folder: string): Promise<string> {
  await runWrangler(ROOT, ['deploy', '--dry-run', `--outdir=${folder}`])
  return join(folder, 'index.js')
}

export async function startKillable(
  script: string,
  folder: string,
  keys: string,
  bindings: Readonly<Record<string, string>> = {},
): Promise<KillableWorker> {
  const children: ChildProcess[] = []
  // Miniflare does not tell its workerd, and its own dispose lets requests end first.
  const spawned = (message: unknown): void => {
    children.push((message as { process: ChildProcess }).process)
  }
  subscribe('child_process', spawned)
  const miniflare = new Miniflare({
    ...convertV4MiniflareOptions({
      // A list, for Miniflare would else parse the bundle for its imports at each start.
      modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(script, 'utf8') }],
      compatibilityDate: '2026-11-01',
      compatibilityFlags: ['nodejs_compat'],
      r2Buckets: { MEMEX: 'memex' },
      d1Databases: { LOGS: 'logs' },
      durableObjects: { MISSIONS: { className: 'Mission', useSQLite: true } },
      bindings: { SIGNING_KEYS: keys, ...bindings },
    }),
    resourcePersistencePath: folder,
  })
  const url = await miniflare.ready
  await migrate(miniflare)
  unsubscribe('child_process', spawned)
  const workerds = children.filter((child) => child.spawnfile.includes('workerd'))
  if (workerds.length !== 1) throw new Error(`expected one workerd, saw ${workerds.length}`)
  return {
    url,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      const body = await request.arrayBuffer()
      return await fetch(new URL(pathname + search, url), {
        method: request.method,
        headers: request.headers,
        ...(body.byteLength === 0 ? {} : { body }),
      })
    },
    kill: () => {
      for (const workerd of workerds) workerd.kill('SIGKILL')
      return miniflare.dispose()
    },
  }
}

async function migrate(miniflare: Miniflare): Promise<void> {
  const logs = await miniflare.getD1Database('LOGS')
  const there = await logs.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'missions'`).all()
  if (there.results.length > 0) return
  const sql = readFileSync(join(ROOT, 'src/adapters/migrations/0001_logs.sql'), 'utf8')
  const statements = sql.split(';').filter((statement) => statement.trim() !== '')
  await logs.batch(statements.map((statement) => logs.prepare(statement)))
}
