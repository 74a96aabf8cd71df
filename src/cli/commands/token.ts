import { join } from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { SCOPES } from '../../domain/access/scope.ts'
import type { Scope } from '../../domain/access/scope.ts'
import { foldexFolder } from '../local/dev-file.ts'
import { ENV_FILE, parseSigningKeys, readSigningKeys } from '../local/signing-key.ts'
import { signToken } from '../sign.ts'
import { CommandError, EXIT } from '../terminal/exit.ts'

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

interface TokenOptions {
  readonly tenant: string
  readonly scope: readonly Scope[]
  readonly mission?: string
  readonly expires: number
  readonly keys?: string
  readonly json?: boolean
}

/** `foldex token`: signs a bearer token offline with the deployment's key. */
export const tokenCommand = (): Command =>
  new Command('token')
    .description('sign a bearer token offline with the signing key')
    .option('-t, --tenant <id>', 'whose missions it reaches', 'local')
    .addOption(
      new Option('-s, --scope <scope...>', 'what it may do')
        .choices(SCOPES)
        .default(['admin'], 'admin'),
    )
    .option('-m, --mission <id>', 'only this mission')
    .addOption(
      new Option('-e, --expires <time>', 'life, like 90s, 15m, 8h; 30d is the most')
        .argParser(seconds)
        .default(30 * UNITS.d, '30d'),
    )
    .option('-k, --keys <file>', 'signing keys: a JSON list, or an env file with SIGNING_KEYS')
    .option('--json', 'print token, jti and expiry as JSON')
    .addHelpText('after', HELP)
    .action(async (options: TokenOptions) => {
      const now = Math.floor(Date.now() / 1000)
      const { scope, mission, expires } = options
      const request = { scope, mission, expires_in_s: expires }
      const { token, claims } = await signToken(keysOf(options), options.tenant, request, now)
      const expires_at = new Date(claims.exp * 1000).toISOString()
      const shown = options.json === true ? { token, jti: claims.jti, expires_at } : undefined
      process.stdout.write(`${shown === undefined ? token : JSON.stringify(shown)}\n`)
    })

const HELP = `
The key is the first of SIGNING_KEYS in the environment, of --keys, or of the local Worker's key.

Examples:
  $ foldex token                                      admin, for the Worker of \`npm start\`
  $ foldex token --tenant acme --keys keys.json       the first token of a deployment
  $ foldex token --scope memex:read --mission m1 --expires 1h`

function keysOf(options: TokenOptions): ReturnType<typeof readSigningKeys> {
  if (options.keys !== undefined) return readSigningKeys(options.keys)
  const inherited = process.env['SIGNING_KEYS']
  if (inherited !== undefined) return parseSigningKeys(inherited, 'SIGNING_KEYS')
  const folder = foldexFolder()
  if (folder !== null) return readSigningKeys(join(folder, ENV_FILE))
  throw new CommandError(
    EXIT.usage,
    'no signing keys: set SIGNING_KEYS, pass --keys FILE, or run `npm start` once',
  )
}

function seconds(text: string): number {
  const unit = UNITS[text.slice(-1) as keyof typeof UNITS]
  const amount = text.slice(0, -1)
  if (unit === undefined || !/^[0-9]{1,9}$/.test(amount))
    throw new InvalidArgumentError('A number and s, m, h or d, like 8h.')
  return Number(amount) * unit
}
