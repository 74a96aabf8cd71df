import { CommandError, EXIT } from '../terminal/exit.ts'

/** What a deployment is made of, as `wrangler.toml` names it. */
export interface Names {
  readonly worker: string
  readonly bucket: string
  readonly database: string
}

/** Runs wrangler to its end; a step may want to look at a failure itself. */
export type RunWrangler = (
  args: readonly string[],
) => Promise<{ readonly code: number | null; readonly output: string }>

export interface Deployment {
  readonly names: Names
  readonly run: RunWrangler
  /** Makes the file with the first signing key; null where one is there from before. */
  readonly makeKey: () => string | null
  /** The file that the key is, or will be, kept in. */
  readonly keyFile: string
  readonly say: (line: string) => void
}

/** What a deployment does, for a person who wants to know before. */
export const planOf = ({ worker, bucket, database }: Names, keyFile: string): readonly string[] => [
  `create the R2 bucket ${bucket}, where it is missing`,
  `create the D1 database ${database}, where it is missing`,
  `apply the migrations of src/adapters/migrations to ${database}`,
  `make a signing key, where ${worker} has none, and keep a copy in ${keyFile}`,
  `deploy ${worker}`,
]

/** Deploys step by step, each one safe to repeat; gives the Worker's URL where wrangler says it. */
export async function deploy(deployment: Deployment): Promise<string | null> {
  const { names, say } = deployment
  await signedIn(deployment)
  await ensure(deployment, `R2 bucket ${names.bucket}`, ['r2', 'bucket'], names.bucket)
  await ensure(deployment, `D1 database ${names.database}`, ['d1'], names.database)
  say(`Applying migrations to ${names.database}`)
  await must(deployment, ['d1', 'migrations', 'apply', names.database, '--remote'])
  const secrets = await secretsFile(deployment)
  say(`Deploying ${names.worker}`)
  // The key goes up with the code, so no request is ever answered without one.
  const output = await must(deployment, [
    'deploy',
    ...(secrets === null ? [] : [`--secrets-file=${secrets}`]),
  ])
  return /https:\/\/\S+\.workers\.dev/.exec(output)?.[0] ?? null
}

async function signedIn({ run }: Deployment): Promise<void> {
  const { code } = await run(['whoami', '--json'])
  if (code === 0) return
  throw new CommandError(
    EXIT.access,
    'not signed in to Cloudflare: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN',
  )
}

async function ensure(
  deployment: Deployment,
  what: string,
  group: readonly string[],
  name: string,
): Promise<void> {
  const { code } = await deployment.run([...group, 'info', name, '--json'])
  if (code === 0) return deployment.say(`The ${what} is there`)
  deployment.say(`Creating the ${what}`)
  await must(deployment, [...group, 'create', name])
}

/** The file with a new key, or null where the Worker has its keys: those are never replaced. */
async function secretsFile(deployment: Deployment): Promise<string | null> {
  const { names, run, say, makeKey, keyFile } = deployment
  const { code, output } = await run(['secret', 'list', '--format=json'])
  if (code === 0 && secretNames(output).includes('SIGNING_KEYS')) {
    say(`${names.worker} has its signing keys`)
    return null
  }
  // Only this failure says that there is no key; after any other one, a new key would lock all out.
  if (code !== 0 && !/Worker "[^"]*" not found/.test(output))
    throw failed(['secret', 'list'], output)
  say(
    makeKey() === null
      ? `Using the signing key of ${keyFile}`
      : `Made a signing key and kept it in ${keyFile}`,
  )
  return keyFile
}

function secretNames(output: string): readonly unknown[] {
  try {
    const secrets: unknown = JSON.parse(output.slice(output.indexOf('[')))
    return Array.isArray(secrets) ? secrets.map((secret: { name?: unknown }) => secret.name) : []
  } catch {
    throw failed(['secret', 'list'], output)
  }
}

async function must({ run }: Deployment, args: readonly string[]): Promise<string> {
  const { code, output } = await run(args)
  if (code === 0) return output
  throw failed(args, output)
}

const failed = (args: readonly string[], output: string): CommandError =>
  new CommandError(EXIT.unavailable, `wrangler ${args[0]} ${args[1] ?? ''} failed:\n${output}`)
