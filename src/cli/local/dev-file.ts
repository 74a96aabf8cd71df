import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { upwards } from './checkout.ts'

/** Where a Worker is, and a token for it. */
export interface Connection {
  readonly url: string
  readonly token: string
}

/** Where `npm start` keeps its key, its storage and dev.json, in the checkout. */
export const FOLDER = '.foldex'

const DEV_FILE = 'dev.json'

const devFile = z.object({ url: z.string(), token: z.string() })

/** Leaves the local Worker for the other commands, readable for its user alone. */
export const writeDevFile = (folder: string, dev: Connection): void =>
  writeFileSync(join(folder, DEV_FILE), `${JSON.stringify(dev, null, 2)}\n`, { mode: 0o600 })

/** The Worker that `npm start` left for us, or null. */
export function localWorker(): Connection | null {
  const folder = foldexFolder()
  if (folder === null) return null
  try {
    return devFile.parse(JSON.parse(readFileSync(join(folder, DEV_FILE), 'utf8')))
  } catch {
    return null
  }
}

/** The nearest `.foldex` folder, from the working directory up. */
export function foldexFolder(): string | null {
  for (const folder of upwards(process.cwd())) {
    const own = join(folder, FOLDER)
    if (existsSync(own)) return own
  }
  return null
}
