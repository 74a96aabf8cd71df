import { describe, expect, test } from 'vitest'
import { contract } from '../../src/contract/contract.ts'
import { createApp } from '../../src/http/app.ts'
import type { Deps } from '../../src/ports.ts'
import { always, before, inTurn } from '../support/faults.ts'
import type { Fault } from '../support/faults.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { rootToken } from '../support/tokens.ts'

const at = (path: string): string => `https://foldex.test${path}`

async function get(deps: Deps, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  if (deps.signer !== null && !headers.has('authorization'))
    headers.set('authorization', `Bearer ${await rootToken(deps.signer, 'acme')}`)
  return createApp(deps).fetch(new Request(at(path), { ...init, headers }))
}

const problemOf = (response: Response) => response.json<Record<string, unknown>>()

describe('routes', () => {
  test.each(['/', '/v1', '/v1/missions/', '/v2/missions', '/v1/missions//mask', '/V1/missions'])(
    'the unknown path %s is answered with a 404 problem',
    async (path) => {
      const response = await get(memoryDeps(), path)
      expect(response.status).toBe(404)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await problemOf(response)).toEqual({
        type: '/problems/not-found',
        title: 'No such route',
        status: 404,
        code: 'not_found',
        hint: 'See /openapi.json for every route.',
        retryable: false,
      })
    },
  )

  test.each([
    ['PATCH', '/v1/missions/m', 'DELETE, GET, HEAD, PUT'],
    ['POST', '/v1/missions/m', 'DELETE, GET, HEAD, PUT'],
    ['OPTIONS', '/v1/missions/m/mask', 'POST'],
    ['HEAD', '/v1/missions/m/mask', 'POST'],
    ['GET', '/v1/tokens', 'POST'],
    ['DELETE', `/v1/missions/m/excerpts/${'a'.repeat(64)}`, 'GET, HEAD, PUT'],
    ['DELETE', '/v1/missions/m/excerpts/read', 'POST'],
    ['POST', '/healthz', 'GET, HEAD'],
  ])('%s %s is answered with 405 and the allowed methods', async (method, path, allowed) => {
    const response = await get(memoryDeps(), path, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')?.split(', ').toSorted().join(', ')).toBe(allowed)
    if (method !== 'HEAD')
      expect(await problemOf(response)).toMatchObject({ code: 'method_not_allowed' })
  })

  test('HEAD answers what GET would, without the body', async () => {
    const deps = memoryDeps()
    await (await memoryApi(deps)).ok('put_mission', { mission: 'm', body: {} })
    for (const path of ['/v1/missions/m', '/v1/missions', '/healthz', '/v1/missions/none']) {
      const [head, whole] = [await get(deps, path, { method: 'HEAD' }), await get(deps, path)]
      expect(head.status).toBe(whole.status)
      expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'))
      expect(await head.text()).toBe('')
    }
  })

  test('every request gets a different id', async () => {
    const deps = memoryDeps()
    const ids = await Promise.all(
      ['/healthz', '/healthz', '/none'].map(async (path) =>
        (await get(deps, path)).headers.get('x-request-id'),
      ),
    )
    expect(new Set(ids).size).toBe(3)
  })
})

describe('without signing keys', () => {
  test('every route that needs a token answers 503', async () => {
    const deps = { ...memoryDeps(), signer: null }
    const api = await memoryApi(deps)
    for (const [name, row] of Object.entries(contract))
      if (row.scope !== 'none') {
        const sent = { mission: 'm', sha256: 'a'.repeat(64), jti: 'j'.repeat(22), log: 'masking' }
        const refused = await api.refused(name as 'mask', {
          ...sent,
          turn: 1,
          call_id: 'c',
          id: 'x',
        })
        expect(refused, `${name}`).toMatchObject({ status: 503, code: 'signing_keys_missing' })
      }
    expect((await api.ok('health')).ok).toBe(true)
  })
})

describe('pages of other origins', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
  }
  const headersOf = (response: Response): string[] => [...response.headers.keys()]

  test('a page of another origin may read nothing by default', async () => {
    for (const init of [preflight, { headers: { origin: 'https://evil.example' } }]) {
      const response = await get(memoryDeps(), '/v1/missions', init)
      expect(headersOf(response).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test('a page of a listed origin may read answers, problems and preflights', async () => {
    const deps = memoryDeps()
    const app = createApp(deps, { hosts: null, origins: ['https://ui.example'] })
    const ask = (init: RequestInit, path = '/v1/missions') => app.fetch(new Request(at(path), init))
    const ours = { origin: 'https://ui.example' }
    const refused = await ask({ headers: ours })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://ui.example')
    expect(refused.headers.get('access-control-expose-headers')).toContain('X-Request-Id')
    expect(refused.headers.get('vary')).toBe('Origin')

    const method = { 'access-control-request-method': 'PUT' }
    const allowed = await ask({ method: 'OPTIONS', headers: { ...ours, ...method } })
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-methods')).toContain('PUT')
    expect(allowed.headers.get('access-control-allow-headers')).toContain('Authorization')
    expect(allowed.headers.has('access-control-allow-credentials')).toBe(false)

    for (const init of [preflight, { headers: { origin: 'https://evil.example' } }])
      expect((await ask(init)).headers.has('access-control-allow-origin')).toBe(false)
  })
})

describe('unexpected errors', () => {
  const bug: Fault = { when: 'before', error: new TypeError('x is not a function') }

  test('an outage is answered with 503 and Retry-After, and logged with the request and the operation', async () => {
    const deps = memoryDeps({ missions: always('read', before('storage is away')) })
    const response = await (await memoryApi(deps)).send('get_mission', { mission: 'm' })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await problemOf(response)).toMatchObject({
      code: 'temporarily_unavailable',
      retryable: true,
    })
    expect(deps.reports).toEqual([
      {
        level: 'error',
        event: 'unexpected_error',
        request_id: response.headers.get('x-request-id'),
        operation: 'get_mission',
        error: 'Error: storage is away',
      },
    ])
  })

  test('an unexpected error is answered with 500 without its message, and logged', async () => {
    const deps = memoryDeps({ missions: always('read', bug) })
    const response = await (await memoryApi(deps)).send('get_mission', { mission: 'm' })
    const problem = await problemOf(response)
    expect(problem).toMatchObject({ status: 500, code: 'internal', retryable: false })
    expect(JSON.stringify(problem)).not.toContain('function')
    expect(deps.reports).toMatchObject([{ error: 'TypeError: x is not a function' }])
  })

  test('no token is accepted while the list of revoked tokens can not be read', async () => {
    const deps = memoryDeps({ revocations: always('anyRevoked', before('storage is away')) })
    const api = await memoryApi(deps)
    for (const [name, rest] of [
      ['get_mission', {}],
      ['read_excerpt', { sha256: 'a'.repeat(64) }],
    ] as const)
      expect(await api.refused(name, { mission: 'm', ...rest })).toMatchObject({
        code: 'temporarily_unavailable',
      })
  })

  test('the request after a failed one is served', async () => {
    const deps = memoryDeps({ missions: inTurn('read', bug) })
    const api = await memoryApi(deps)
    await api.refused('get_mission', { mission: 'm' })
    await api.ok('put_mission', { mission: 'm', body: {} })
    expect(await api.ok('get_mission', { mission: 'm' })).toMatchObject({ id: 'm' })
  })
})
