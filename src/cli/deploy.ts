import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { Command } from 'commander'
import { deploy, planOf } from './deploy/deployment.ts'
import type { Names, RunWrangler } from './deploy/deployment.ts'
import { checkout } from './local/checkout.ts'
import { writeSigningKey } from './local/signing-key.ts'
import { runWrangler, spawnWrangler } from './local/wrangler.ts'
import { run } from './run.ts'
import { CommandError, EXIT } from './terminal/exit.ts'

const KEY_FILE = '.foldex/production.env'

const program = new Command('npm run deploy --')
  .description('deploy to Cloudflare: bucket, database, migrations, signing key, Worker')
  .option('--dry-run', 'say what would be done, and build the Worker without uploading it')
  .action(async ({ dryRun }: { readonly dryRun?: boolean }) => {
    const root = checkout()
    const names = namesIn(readFileSync(join(root, 'wrangler.toml'), 'utf8'))
    await (dryRun === true ? rehearse(root, names) : perform(root, names))
  })

async function rehearse(root: string, names: Names): Promise<void> {
  const steps = planOf(names, KEY_FILE).map((step, index) => `  ${index + 1}. ${step}`)
  process.stdout.write(`Nothing is changed. A deployment would\n${steps.join('\n')}\n\n`)
  const folder = mkdtempSync(join(tmpdir(), 'foldex-'))
  try {
    const output = await runWrangler(root, ['deploy', '--dry-run', `--outdir=${folder}`])
    const size = /Total Upload: .*/.exec(output)?.[0]
    process.stdout.write(`The Worker builds. ${size ?? ''}\n`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function perform(root: string, names: Names): Promise<void> {
  const run: RunWrangler = async (args) => {
    const wrangler = spawnWrangler(root, args)
    return { code: await wrangler.exited, output: wrangler.output() }
  }
  const file = join(root, KEY_FILE)
  const url = await deploy({
    names,
    run,
    makeKey: () => (writeSigningKey(file, 'production') ? file : null),
    keyFile: file,
    say: (line) => void process.stderr.write(`${line.replaceAll(file, KEY_FILE)}\n`),
  })
  const keys = relative(process.cwd(), file)
  process.stdout.write(
    [
      `\n${names.worker} is deployed${url === null ? '' : ` at ${url}`}.`,
      '',
      'Its first token, signed on this machine for a tenant of your choice:',
      `  npx foldex token --tenant acme --keys ${keys}`,
      '',
      `Keep ${keys} safe and out of git: who has it can sign any token.\n`,
    ].join('\n'),
  )
}

function namesIn(toml: string): Names {
  const named = (key: string): string => {
    const value = new RegExp(`^${key} = "([^"\n]+)"`, 'm').exec(toml)?.[1]
    if (value === undefined) throw new CommandError(EXIT.usage, `wrangler.toml has no ${key}`)
    return value
  }
  return {
    worker: named('name'),
    bucket: named('bucket_name'),
    database: named('database_name'),
  }
}

await run(() => program.parseAsync())
