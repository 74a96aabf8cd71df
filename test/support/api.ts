import { expect } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import { OUTCOME_STATUS } from '../../src/contract/answer.ts'
import { contract } from '../../src/contract/contract.ts'
import type { OperationName } from '../../src/contract/contract.ts'
import { problemsOf } from '../../src/contract/operation.ts'
import type { OperationRow } from '../../src/contract/operation.ts'
import { problem, problemStatus, problemTitle, problemType } from '../../src/contract/problem.ts'
import type { Problem } from '../../src/contract/problem.ts'
import type { FailureCode } from '../../src/domain/failure.ts'

/** A request to one route: path parameters by name, and what else an HTTP request has. */
export interface Sent {
  readonly query?: Readonly<Record<string, string | number | boolean>>
  /** An object is sent as JSON, a text or bytes as they are. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  /** In place of the api's own; null sends none. */
  readonly token?: string | null
  readonly [param: string]: unknown
}

/** The HTTP face as a test calls it. Every answer is held against the row of its operation. */
export interface Api {
  /** The answer of an operation that succeeds. */
  ok<Name extends OperationName>(name: Name, sent?: Sent): Promise<Output<Name>>
  /** The problem of one that is refused. */
  refused(name: OperationName, sent?: Sent): Promise<Problem>
  /** Whatever comes back; held against the row all the same. */
  send(name: OperationName, sent?: Sent): Promise<Response>
}

type Fetch = (request: Request) => Response | Promise<Response>

/** Problems that come before a row is found. */
const ROUTING: readonly FailureCode[] = ['not_found', 'method_not_allowed']

export function createApi(fetch: Fetch, token: string | null = null): Api {
  const send = async (name: OperationName, sent: Sent = {}): Promise<Response> => {
    const response = await fetch(requestFor(name, { token, ...sent }))
    await hold(name, response.clone())
    return response
  }
  return {
    send,
    ok: async (name, sent) => {
      const response = await send(name, sent)
      const bytes = await response.arrayBuffer()
      if (response.status >= 300)
        throw new Error(`${name} ${response.status} ${new TextDecoder().decode(bytes)}`)
      type Answer = Output<typeof name>
      const json = typeof contract[name].answers !== 'string'
      return (json ? JSON.parse(new TextDecoder().decode(bytes)) : new Uint8Array(bytes)) as Answer
    },
    refused: async (name, sent) => {
      const response = await send(name, sent)
      expect(response.status, `${name} was not refused`).toBeGreaterThanOrEqual(400)
      return await response.json<Problem>()
    },
  }
}

/** The request that calls an operation at `https://foldex.test`. */
export function requestFor(name: OperationName, sent: Sent = {}): Request {
  const row: OperationRow = contract[name]
  const { query = {}, body, headers = {}, token = null } = sent
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => String(sent[param]))
  const pairs = Object.entries(query).map(([key, value]) => [key, String(value)])
  const search = new URLSearchParams(pairs).toString()
  const raw = typeof body === 'string' || body instanceof Uint8Array || body === undefined
  const json = row.body !== undefined && row.body !== 'bytes'
  const all: Record<string, string> = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(json ? { 'content-type': 'application/json' } : {}),
    ...headers,
  }
  return new Request(`https://foldex.test${path}${search === '' ? '' : `?${search}`}`, {
    method: sent.method ?? row.method,
    // An empty header stands for one that is not sent.
    headers: Object.entries(all).filter(([, value]) => value !== ''),
    ...(body === undefined ? {} : { body: raw ? body : JSON.stringify(body) }),
  })
}

/** Fails unless the answer is one that the operation's row allows. */
async function hold(name: OperationName, response: Response): Promise<void> {
  const row: OperationRow = contract[name]
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{22}$/)
  expect(response.headers.get('server-timing')).toMatch(/^total;dur=\d/)
  if (response.status >= 400) return holdProblem(name, row, response)
  if (typeof row.answers === 'string') return
  expect(row.outcomes.map((outcome) => OUTCOME_STATUS[outcome])).toContain(response.status)
  expect(response.headers.get('cache-control')).toBe('no-store')
  if (response.status === 204) return
  expect(response.headers.get('content-type')).toBe('application/json')
  const text = await response.text()
  // A HEAD has none.
  if (text !== '') row.answers.parse(JSON.parse(text))
}

async function holdProblem(name: string, row: OperationRow, response: Response): Promise<void> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('cache-control')).toBe('no-store')
  const text = await response.text()
  if (text === '') return
  const said = problem.parse(JSON.parse(text))
  const code = said.code as FailureCode
  const allowed = [...problemsOf(row), ...ROUTING]
  expect(allowed, `${name} may not answer ${code}`).toContain(code)
  expect(said).toMatchObject({
    type: problemType(code),
    title: problemTitle(code),
    status: response.status,
  })
  expect(response.status).toBe(problemStatus(code))
  expect(response.headers.has('retry-after')).toBe(said.retryable)
  expect(response.headers.has('www-authenticate')).toBe(
    response.status === 401 || code === 'insufficient_scope',
  )
}
