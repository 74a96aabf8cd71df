import { SignJWT } from 'jose'
import { createSecretScanner } from '../../../src/adapters/secrets/secretlint.ts'
import { createTokenizer } from '../../../src/adapters/tokens/gpt-tokens.ts'
import type { Output } from '../../../src/client/operation.ts'
import { contract } from '../../../src/contract/contract.ts'
import type { OperationName } from '../../../src/contract/contract.ts'
import { paramNames } from '../../../src/contract/params.ts'
import type { Claims, MintRequest } from '../../../src/domain/access/claims.ts'
import { rootClaims } from '../../../src/domain/access/root-claims.ts'
import type { FailureCode } from '../../../src/domain/failure.ts'
import { createApp } from '../../../src/http/app.ts'
import type { TokenSigner } from '../../../src/ports.ts'
import { createApi } from '../../support/api.ts'
import type { Sent } from '../../support/api.ts'
import { memoryDeps } from '../../support/memory-deps.ts'
import { ENDPOINTS } from '../../support/signed-webhook.ts'

/** A request that was sent, and what came back. */
export interface Exchange {
  readonly operation: OperationName
  readonly path: Readonly<Record<string, string>>
  readonly query: Sent['query']
  readonly body: unknown
  readonly status: number
  readonly type: string
  readonly answer: unknown
}

/** Calls the HTTP face, records each exchange, and checks each answer against its row. */
export interface Recorder {
  readonly ok: <Name extends OperationName>(name: Name, sent?: Sent) => Promise<Output<Name>>
  readonly refused: (code: FailureCode, name: OperationName, sent?: Sent) => Promise<void>
  readonly header: (name: OperationName, sent: Sent, header: string) => Promise<string>
  /** Unix ms of the service's clock. */
  readonly now: () => number
  readonly token: (request: Partial<MintRequest>) => Promise<string>
  readonly exchanges: readonly Exchange[]
}

const START = Date.parse('2026-11-30T09:00:00.000Z')

/** The service on ports in memory, with a clock and ids that are the same every time. */
export async function createRecorder(): Promise<Recorder> {
  let time = START
  const signer = createSigner()
  const deps = {
    ...memoryDeps({}, ENDPOINTS),
    signer,
    now: () => time,
    loadTokens: createTokenizer(),
    loadSecrets: createSecretScanner(),
  }
  const app = createApp(deps)
  const exchanges: Exchange[] = []
  const token = async (request: Partial<MintRequest>): Promise<string> => {
    const wanted = { scope: ['admin'] as const, expires_in_s: 86_400, ...request }
    const made = rootClaims('acme', wanted, Math.floor(time / 1000), deps.newId())
    if (!made.ok) throw new Error(JSON.stringify(made.error))
    return await signer.sign(made.value)
  }
  const api = createApi((request) => app.fetch(request), await token({}))

  const send = async (operation: OperationName, sent: Sent): Promise<[Exchange, Response]> => {
    time += 1000
    const response = await api.send(operation, sent)
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const text = await response.text()
    const names = paramNames(contract[operation].path)
    const exchange = {
      operation,
      path: Object.fromEntries(names.map((name) => [name, String(sent[name])])),
      query: sent.query,
      body: sent.body instanceof Uint8Array ? undefined : sent.body,
      status: response.status,
      type,
      // An archive can not be read as an example.
      answer: type.endsWith('json') ? JSON.parse(text) : type.endsWith('tar') ? '' : text,
    }
    exchanges.push(exchange)
    return [exchange, response]
  }
  return {
    exchanges,
    now: () => time,
    token,
    ok: async (name, sent = {}) => {
      const [{ status, answer }] = await send(name, sent)
      if (status >= 300) throw new Error(`${name} ${status} ${JSON.stringify(answer)}`)
      return answer as Output<typeof name>
    },
    refused: async (code, name, sent = {}) => {
      const [{ status, answer }] = await send(name, sent)
      if ((answer as { code?: string }).code !== code)
        throw new Error(`${name} is not ${code}: ${status} ${JSON.stringify(answer)}`)
    },
    header: async (name, sent, header) => {
      const [, response] = await send(name, sent)
      return response.headers.get(header) ?? ''
    },
  }
}

/** Real tokens of a signer of these tests: the Worker's own signer needs more than Node has. */
function createSigner(): TokenSigner {
  const key = new TextEncoder().encode('a key of the examples, for no service')
  const signed = new Map<string, Claims>()
  return {
    sign: async (claims) => {
      const header = { alg: 'HS256', kid: 'example', typ: 'JWT' }
      const token = await new SignJWT({ ...claims }).setProtectedHeader(header).sign(key)
      signed.set(token, claims)
      return token
    },
    verify: async (token) => signed.get(token) ?? null,
  }
}
