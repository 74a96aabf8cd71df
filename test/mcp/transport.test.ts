import { describe, expect, it } from 'vitest'
import { createApp } from '../../src/http/app.ts'
import type { Neighbours } from '../../src/http/mcp.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { rootToken } from '../support/tokens.ts'
import { connect, memoryClient } from './mcp-client.ts'

const deps = memoryDeps()
const token = await rootToken(deps.signer!, 'acme', { mission: 'm' })

interface Sent {
  readonly method?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly neighbours?: Neighbours
}

/** One HTTP request to the endpoint, with a token unless it says otherwise. */
async function send(body: unknown, sent: Sent = {}): Promise<Response> {
  const { method = 'POST', url = 'https://foldex.test/mcp', headers, neighbours } = sent
  const request = new Request(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' ? { body: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  })
  return createApp(deps, neighbours).fetch(request)
}

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
}
const list = { jsonrpc: '2.0', id: 'a', method: 'tools/list' }

describe('the MCP endpoint', () => {
  it('speaks the protocol of 2026-07-28 and that of 2025, as the client asks', async () => {
    const app = createApp(deps)
    const old = await memoryClient(deps, { mission: 'm' })
    expect(old.getNegotiatedProtocolVersion()).toBe('2025-11-25')
    const modern = await connect((request) => app.fetch(request), token, { mode: 'auto' })
    expect(modern.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    for (const client of [old, modern]) {
      expect(client.getServerVersion()).toMatchObject({ name: 'foldex' })
      expect(client.getInstructions()).toContain('memex_read')
      expect((await client.listTools()).tools).toHaveLength(6)
    }
  })

  it.each(['application/json', '*/*', 'text/event-stream'])(
    'answers JSON to a client that accepts %s',
    async (accept) => {
      for (const message of [initialize, list]) {
        const response = await send(message, { headers: { accept } })
        expect(response.status).toBe(200)
        expect(response.headers.get('content-type')).toMatch(/^application\/json/)
        expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: message.id })
      }
    },
  )

  it('answers 405 to GET, DELETE and PUT', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await send(null, { method, headers: { 'mcp-session-id': 'of-another' } })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
    }
  })

  it('answers a notification with 202 and no body', async () => {
    const response = await send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(response.status).toBe(202)
    expect(await response.text()).toBe('')
  })

  it('answers what is no message, or no known method, with the errors of the protocol', async () => {
    const broken = await send('{"jsonrpc":')
    expect(broken.status).toBe(400)
    expect(await broken.json()).toMatchObject({ error: { code: -32700 } })
    const plain = await send(list, { headers: { 'content-type': 'text/plain' } })
    expect(plain.status).toBe(415)
    const long = await send(`"${'x'.repeat(12 * 1024 * 1024)}"`)
    expect(long.status).toBe(413)
    const method = await send({ ...list, method: 'memex/delete' })
    expect(await method.json()).toMatchObject({ id: 'a', error: { code: -32601 } })
  })

  it('refuses a missing, an invalid and a revoked token', async () => {
    const none = await send(list, { headers: { authorization: '' } })
    expect(none.status).toBe(401)
    expect(none.headers.get('www-authenticate')).toMatch(/^Bearer/)
    const bad = await send(list, { headers: { authorization: 'Bearer a.b.c' } })
    expect(bad.status).toBe(401)
    const api = await memoryApi(deps)
    const minted = await api.ok('mint_token', { body: { scope: ['memex:read'], expires_in_s: 60 } })
    const headers = { authorization: `Bearer ${minted.token}` }
    expect((await send(list, { headers })).status).toBe(200)
    await api.ok('revoke_token', { jti: minted.jti })
    expect((await send(list, { headers })).status).toBe(401)
  })

  it('refuses pages of other origins, and foreign host names', async () => {
    const code = async (response: Response) => [
      response.status,
      ((await response.json()) as { code?: string }).code,
    ]
    const refused = [403, 'origin_not_allowed']
    const origin = (from: string) => ({ headers: { origin: from } })
    expect(await code(await send(list, origin('https://evil.example')))).toEqual(refused)
    expect(await code(await send(list, origin('null')))).toEqual(refused)
    expect((await send(list, origin('https://foldex.test'))).status).toBe(200)

    const neighbours = { hosts: ['127.0.0.1'], origins: ['https://app.example'] }
    const local = { url: 'http://127.0.0.1/mcp', neighbours }
    expect((await send(list, local)).status).toBe(200)
    expect((await send(list, { ...local, ...origin('https://app.example') })).status).toBe(200)
    expect(await code(await send(list, { ...local, url: 'http://evil.example/mcp' }))).toEqual(
      refused,
    )
  })
})
