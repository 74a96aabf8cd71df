import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signToken } from '../sign.ts'
import type { Connection } from './dev-file.ts'
import { ENV_FILE, readSigningKeys } from './signing-key.ts'
import { startWorker } from './worker.ts'

const LIFE_S = 24 * 3600

/** Runs something against a Worker of its own, on a free port, that is gone afterwards. */
export async function withTemporaryWorker<T>(
  signal: AbortSignal,
  run: (where: Connection) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'foldex-'))
  try {
    if (process.stderr.isTTY === true) process.stderr.write('Starting a Worker …')
    const worker = await startWorker(folder, 0, signal)
    if (process.stderr.isTTY === true) process.stderr.write('\r\u001B[K')
    try {
      const keys = readSigningKeys(join(folder, ENV_FILE))
      const request = { scope: ['admin'], expires_in_s: LIFE_S } as const
      const { token } = await signToken(keys, 'local', request, Math.floor(Date.now() / 1000))
      return await run({ url: worker.url, token })
    } finally {
      await worker.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
