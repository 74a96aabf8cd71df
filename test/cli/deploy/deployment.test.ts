import { describe, expect, it } from 'vitest'
import { deploy } from '../../../src/cli/deploy/deployment.ts'
import type { Deployment } from '../../../src/cli/deploy/deployment.ts'

const names = { worker: 'foldex', bucket: 'foldex-memex', database: 'foldex-logs' }
const NO_WORKER = { code: 1, output: '✘ [ERROR] Worker "foldex" not found.' }

interface Account {
  readonly signedIn?: boolean
  readonly bucket?: boolean
  readonly database?: boolean
  readonly secrets?: { readonly code: number; readonly output: string }
  readonly keyKept?: boolean
}

/** Deploys to an account that answers as wrangler does, and says what was run. */
async function deployTo(account: Account) {
  const ran: string[] = []
  const said: string[] = []
  const answers: Record<string, boolean | undefined> = {
    whoami: account.signedIn ?? true,
    'r2 bucket info': account.bucket,
    'd1 info': account.database,
  }
  const deployment: Deployment = {
    names,
    async run(args) {
      const command = args.join(' ')
      ran.push(command)
      if (command.startsWith('secret list')) return account.secrets ?? NO_WORKER
      const known = Object.keys(answers).find((start) => command.startsWith(start))
      const ok = known === undefined || answers[known] === true
      const url = 'Uploaded foldex\n  https://foldex.acme.workers.dev\n'
      return { code: ok ? 0 : 1, output: command.startsWith('deploy') ? url : '' }
    },
    makeKey: () => (account.keyKept === true ? null : '/k.env'),
    keyFile: '/k.env',
    say: (line) => said.push(line),
  }
  const url = await deploy(deployment).catch((error: Error) => error)
  return { ran, said, url }
}

describe('deploy', () => {
  it('makes everything in an empty account, and uploads the key with the code', async () => {
    const { ran, said, url } = await deployTo({})
    expect(ran).toEqual([
      'whoami --json',
      'r2 bucket info foldex-memex --json',
      'r2 bucket create foldex-memex',
      'd1 info foldex-logs --json',
      'd1 create foldex-logs',
      'd1 migrations apply foldex-logs --remote',
      'secret list --format=json',
      'deploy --secrets-file=/k.env',
    ])
    expect(said).toContain('Made a signing key and kept it in /k.env')
    expect(url).toBe('https://foldex.acme.workers.dev')
  })

  it('changes no existing bucket, database or signing key', async () => {
    const secrets = { code: 0, output: '[{"name":"SIGNING_KEYS","type":"secret_text"}]' }
    const { ran } = await deployTo({ bucket: true, database: true, secrets })
    expect(ran).toEqual([
      'whoami --json',
      'r2 bucket info foldex-memex --json',
      'd1 info foldex-logs --json',
      'd1 migrations apply foldex-logs --remote',
      'secret list --format=json',
      'deploy',
    ])
  })

  it('uploads the kept signing key to a Worker that has none', async () => {
    const secrets = { code: 0, output: '[{"name":"ENDPOINTS","type":"secret_text"}]' }
    const { ran, said } = await deployTo({ secrets, keyKept: true })
    expect(ran.at(-1)).toBe('deploy --secrets-file=/k.env')
    expect(said).toContain('Using the signing key of /k.env')
  })

  it('stops when it can not tell whether the Worker has a signing key', async () => {
    for (const secrets of [
      { code: 1, output: 'fetch failed' },
      { code: 0, output: 'no JSON here' },
    ]) {
      const { ran, url } = await deployTo({ secrets })
      expect(url).toMatchObject({ name: 'CommandError', exit: 5 })
      expect(ran.some((command) => command.startsWith('deploy'))).toBe(false)
    }
  })

  it('says how to sign in before it does anything', async () => {
    const { ran, url } = await deployTo({ signedIn: false })
    expect(ran).toEqual(['whoami --json'])
    expect(url).toMatchObject({ exit: 4, message: expect.stringContaining('wrangler login') })
  })
})
