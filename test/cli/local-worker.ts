import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './foldex.ts'

export interface Started {
  readonly folder: string
  readonly url: string
  readonly token: string
  readonly stdout: () => string
  readonly stderr: () => string
  readonly child: ChildProcess
  /** Sends a signal and gives the exit code. */
  readonly end: (signal?: NodeJS.Signals) => Promise<number | null>
}

/** `npm start` itself, with its key and storage in `folder`, on a free port; waits for its greeting. */
export async function startLocalWorker(folder: string): Promise<Started> {
  const args = [join(ROOT, 'src/cli/start.ts'), '--port', '0', '--dir', folder]
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let stdout = ''
  let stderr = ''
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stderr.setEncoding('utf8').on('data', (chunk) => (stderr += chunk))
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk
      if (stdout.includes('curl') && stdout.endsWith('\n\n')) resolve()
    })
    child.once('close', () => reject(new Error(`npm start ended:\n${stderr}`)))
  })
  const { url, token } = JSON.parse(readFileSync(join(folder, 'dev.json'), 'utf8'))
  return {
    folder,
    url,
    token,
    stdout: () => stdout,
    stderr: () => stderr,
    child,
    end: (signal = 'SIGINT') => {
      child.kill(signal)
      return closed
    },
  }
}
