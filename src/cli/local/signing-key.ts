import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { signingKeys } from '../../domain/access/signing-keys.ts'
import type { SigningKey } from '../../domain/access/signing-keys.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'

/**
 * Secrets of the local Worker, in dotenv form: wrangler reads them from this file, so the key is in
 * no argument list, and git ignores the folder.
 */
export const ENV_FILE = 'worker.env'

/** Makes a folder's key on the first run and leaves it alone ever after. */
export const ensureSigningKeys = (folder: string): void =>
  void writeSigningKey(join(folder, ENV_FILE), 'local')

/** Writes a new HS256 key of 32 random bytes for its user alone; false where the file is there. */
export function writeSigningKey(file: string, kid: string): boolean {
  if (existsSync(file)) return false
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const key: SigningKey = { kid, secret: randomBytes(32).toString('base64url') }
  writeFileSync(file, `SIGNING_KEYS='${JSON.stringify([key])}'\n`, { mode: 0o600, flag: 'wx' })
  return true
}

/** The keys in a file: a JSON list, or dotenv lines with SIGNING_KEYS. */
export function readSigningKeys(file: string): readonly SigningKey[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new CommandError(EXIT.usage, `no signing keys: can't read ${file}`)
  }
  const json = text.trimStart().startsWith('[') ? text : parseEnv(text)['SIGNING_KEYS']
  if (json === undefined) throw new CommandError(EXIT.usage, `no SIGNING_KEYS in ${file}`)
  return parseSigningKeys(json, file)
}

/** The keys in the JSON text of SIGNING_KEYS; `source` names it when it is refused. */
export function parseSigningKeys(json: string, source: string): readonly SigningKey[] {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    throw new CommandError(EXIT.usage, `${source}: not JSON`)
  }
  const parsed = signingKeys.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  // Never the value: it is a secret.
  const place = issue?.path.join('.') ?? ''
  throw new CommandError(EXIT.usage, `${source}: ${place === '' ? 'the list' : place} is not valid`)
}
