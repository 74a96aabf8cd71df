import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const ROOT = new URL('../..', import.meta.url).pathname

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface FoldexOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly input?: string | Uint8Array
}

export const emptyFolder = (): string => mkdtempSync(join(tmpdir(), 'foldex-'))

/** Runs the CLI from its source as a user would: own process, no inherited token or key. */
export const foldex = (args: readonly string[], options: FoldexOptions = {}): Promise<Ended> =>
  node(['src/cli/foldex.ts', ...args], options)

export function node(args: readonly string[], options: FoldexOptions = {}): Promise<Ended> {
  const [script = '', ...rest] = args
  const env = { ...process.env, ...options.env }
  for (const name of ['FOLDEX_URL', 'FOLDEX_TOKEN', 'SIGNING_KEYS'])
    if (options.env?.[name] === undefined) delete env[name]
  const child = spawn(process.execPath, [join(ROOT, script), ...rest], {
    cwd: options.cwd ?? emptyFolder(),
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => (stdout += chunk))
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk))
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
