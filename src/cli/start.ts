import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { MAX_TOKEN_SECONDS } from '../domain/access/claims.ts'
import { tryIt } from './example-request.ts'
import { checkout } from './local/checkout.ts'
import { FOLDER, writeDevFile } from './local/dev-file.ts'
import { ENV_FILE, readSigningKeys } from './local/signing-key.ts'
import { startWorker } from './local/worker.ts'
import { aborted, run, stopSignal } from './run.ts'
import { signToken } from './sign.ts'
import { CommandError, EXIT } from './terminal/exit.ts'

const program = new Command('npm start --')
  .description('start the Worker on this machine, with a token ready to use')
  .option('-p, --port <port>', 'port on 127.0.0.1; 0 takes any that is free', portNumber, 8787)
  .option('--dir <folder>', 'where its key, its storage and dev.json are kept', FOLDER)
  .action(start)

async function start(options: { readonly port: number; readonly dir: string }): Promise<void> {
  const folder = resolve(checkout(), options.dir)
  const stop = stopSignal()
  // To be stopped is how it is meant to end.
  stop.addEventListener('abort', () => (process.exitCode = EXIT.ok))
  process.stderr.write('Starting the Worker …\n')
  const worker = await startWorker(folder, options.port, stop)
  const keys = readSigningKeys(join(folder, ENV_FILE))
  const request = { scope: ['admin'], expires_in_s: MAX_TOKEN_SECONDS } as const
  const { token } = await signToken(keys, 'local', request, Math.floor(Date.now() / 1000))
  writeDevFile(folder, { url: worker.url, token })
  process.stdout.write(greeting(worker.url, token))
  await Promise.race([aborted(stop), worker.ended])
  await worker.stop()
  if (stop.aborted) return
  process.stderr.write(await worker.ended)
  throw new CommandError(EXIT.unavailable, 'the Worker ended')
}

const greeting = (url: string, token: string): string => `
Foldex answers at ${url}

Token (tenant local, scope admin, ${MAX_TOKEN_SECONDS / 86_400} days), also in .foldex/dev.json:
${token}

Mask a small request; the answer is the same request with its old tool outputs in the Memex:
${tryIt(url, token)}

Ready at ${url} (Ctrl-C stops it).

`

function portNumber(text: string): number {
  const port = Number(text)
  if (/^[0-9]{1,5}$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('A number from 0 to 65535.')
}

await run(() => program.parseAsync())
