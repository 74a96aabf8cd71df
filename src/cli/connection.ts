import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import { createFoldex } from '../client/foldex.ts'
import type { Foldex } from '../client/foldex.ts'
import { isIdentifier } from '../domain/identifier.ts'
import { localWorker } from './local/dev-file.ts'
import type { Connection } from './local/dev-file.ts'
import { CommandError, EXIT } from './terminal/exit.ts'
import { withRequired } from './terminal/required.ts'

export interface ConnectionOptions {
  readonly url?: string
  readonly token?: string
}

export const withConnection = (command: Command): Command =>
  command
    .option('--url <url>', 'the Worker (default: FOLDEX_URL, or the one of `npm start`)')
    .option('--token <token>', 'bearer token (default: FOLDEX_TOKEN, or the one of `npm start`)')

export interface MissionOptions extends ConnectionOptions {
  readonly mission: string
}

export const withMission = (command: Command): Command =>
  withRequired(
    command,
    new Option('-m, --mission <id>', 'the mission').env('FOLDEX_MISSION').argParser(missionId),
  )

export function missionId(text: string): string {
  if (isIdentifier(text)) return text
  throw new InvalidArgumentError('An id matches ^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$.')
}

/** A client of the Worker that the options name. */
export const client = (options: ConnectionOptions): Foldex => createFoldex(connection(options))

/** Where the Worker is and who asks: flags first, then the environment, then `.foldex/dev.json`. */
export function connection(options: ConnectionOptions): Connection {
  const local = localWorker()
  // An empty variable is none: so a CI passes a secret that it does not have.
  const url = options.url ?? (process.env['FOLDEX_URL'] || local?.url)
  if (url === undefined)
    throw new CommandError(
      EXIT.usage,
      'no Worker: pass --url, set FOLDEX_URL, or start one with `npm start`',
    )
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(EXIT.usage, `${url} is not an http or https URL`)
  // The local Worker's token goes to the local Worker alone.
  const kept = local !== null && sameOrigin(url, local.url) ? local.token : undefined
  const token = options.token ?? (process.env['FOLDEX_TOKEN'] || kept)
  if (token === undefined)
    throw new CommandError(EXIT.access, `no token for ${url}: pass --token or set FOLDEX_TOKEN`)
  return { url, token }
}

function sameOrigin(one: string, other: string): boolean {
  const origin = (url: string) => new URL(url).origin.replace('//localhost', '//127.0.0.1')
  return URL.canParse(other) && origin(one) === origin(other)
}
