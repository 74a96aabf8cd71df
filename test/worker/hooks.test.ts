import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { parseRef } from '../../src/domain/digest.ts'
import { createApp } from '../../src/http/app.ts'
import { createDeps } from '../../src/index.ts'
import { createApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freshOwner } from '../support/fresh.ts'
import { ENDPOINTS, signedWebhook } from '../support/signed-webhook.ts'
import { rootToken } from '../support/tokens.ts'
import { fetchWorker, signer, workerApi } from '../support/worker.ts'

/** The Worker with an endpoint of a fresh tenant, on the real stores. */
async function service() {
  const { tenant, mission } = freshOwner()
  const list = ENDPOINTS.map((endpoint) => ({ ...endpoint, tenant }))
  const { LOGS, MEMEX, MISSIONS, SIGNING_KEYS } = env
  const app = createApp(
    createDeps({ LOGS, MEMEX, MISSIONS, SIGNING_KEYS, ENDPOINTS: JSON.stringify(list) }),
  )
  const api = createApi((request) => app.fetch(request), await rootToken(signer, tenant))
  return { api, mission, tenant }
}

describe('webhooks on the real stores', () => {
  test('a hundred copies at once have one effect and one answer', async () => {
    const { api, mission } = await service()
    const artifacts = { 'map.md': '# Map', 'findings.md': '# Findings' }
    const data = { mission, phase: 'locate', used_percentage: 61, artifacts }
    const event = { type: 'phase.completed', data }
    const signed = await signedWebhook(event, { id: 'msg_1', now: Date.now() })
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const sent = { endpoint: 'platform', token: null, ...signed }
        const response = await api.send('receive_webhook', sent)
        const replayed = response.headers.get('idempotent-replayed')
        return { status: response.status, text: await response.text(), replayed }
      }),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(
      new Set([
        `200 {"mission":"${mission}","outcome":"applied","phase":"abstract","status":"active","refused":[]}`,
      ]),
    )
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect((await api.ok('context_history', { mission })).items).toHaveLength(1)
    expect((await api.ok('list_excerpts', { mission })).items).toHaveLength(2)
    const told = (await api.ok('list_events', { mission })).items.map(({ type }) => type)
    expect(told).toEqual(['context.sampled', 'zone.changed', 'phase.completed', 'phase.started'])
  })

  test('a hundred requests at once under one key have one effect', async () => {
    const { api, mission } = await service()
    await api.ok('put_mission', { mission, body: {} })
    const headers = { 'idempotency-key': 'k-1' }
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const body = { used_percentage: 40 }
        const response = await api.send('report_context', { mission, body, headers })
        await response.arrayBuffer()
        return response.status
      }),
    )
    expect(new Set([...statuses, 200, 409])).toEqual(new Set([200, 409]))
    expect(statuses).toContain(200)
    expect((await api.ok('context_history', { mission })).items).toHaveLength(1)
  })

  test('a very long output of a tool is stored, and comes back clipped', async () => {
    const { api, mission } = await service()
    const stdout = Array.from({ length: 9000 }, (_, n) => `${n} refunds paid`).join('\n')
    const body = JSON.stringify({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_response: { stdout, stderr: '', interrupted: false },
      tool_use_id: 'toolu_1',
    })
    const answer = await api.ok('receive_claude_code_hook', { mission, body })
    const text = JSON.stringify(answer)
    expect(text.length).toBeLessThan(2_000)
    const [ref = ''] = /memex:\/\/excerpt\/[0-9a-f]{64}/.exec(text) ?? []
    const bytes = await api.ok('read_excerpt', { mission, sha256: parseRef(ref) })
    expect(new TextDecoder().decode(bytes)).toBe(stdout)
  })
})

describe('the events of a mission over a WebSocket', () => {
  const open = async (path: string, headers: Record<string, string>) => {
    const url = `https://foldex.test${path}`
    return await fetchWorker(new Request(url, { headers: { upgrade: 'websocket', ...headers } }))
  }

  async function listen(response: Response) {
    expect(response.status).toBe(101)
    const socket = response.webSocket ?? expect.fail('no socket')
    const ids: string[] = []
    socket.addEventListener('message', ({ data }) => {
      ids.push((JSON.parse(String(data)) as { id: string }).id)
    })
    socket.accept()
    return { socket, ids }
  }

  test('events reach a browser that offers its token as a subprotocol', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    await api.ok('put_mission', { mission, body: {} })
    const token = await rootToken(signer, tenant, { scope: ['mission:read'] })
    const offered = { 'sec-websocket-protocol': `foldex.v1, bearer.${token}` }
    const response = await open(`/v1/missions/${mission}/events`, offered)
    expect(response.headers.get('sec-websocket-protocol')).toBe('foldex.v1')
    const { ids, socket } = await listen(response)
    await api.ok('report_context', { mission, body: { used_percentage: 61 } })
    await eventually(() => expect(ids).toEqual(['2-0', '2-1']))
    socket.close()
  })

  test('events continue after the one that the reader has, as the pages of list_events do', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    for (const used_percentage of [10, 20, 30, 40])
      await api.ok('report_context', { mission, body: { used_percentage } })
    const authorization = `Bearer ${await rootToken(signer, tenant)}`
    const path = `/v1/missions/${mission}/events?after=2-0`
    const { ids, socket } = await listen(await open(path, { authorization }))
    await api.ok('report_context', { mission, body: { used_percentage: 50 } })
    await eventually(() => expect(ids).toEqual(['3-0', '4-0', '5-0']))
    const page = await api.ok('list_events', { mission, query: { after: '2-0' } })
    expect(page.items.map(({ id }) => id)).toEqual(ids)
    const first = await api.ok('list_events', { mission, query: { after: '2-0', limit: 2 } })
    expect(first.items.map(({ id }) => id)).toEqual(['3-0', '4-0'])
    const query = { after: '2-0', cursor: String(first.next_cursor) }
    const rest = await api.ok('list_events', { mission, query })
    expect(rest.items.map(({ id }) => id)).toEqual(['5-0'])
    socket.close()
  })

  test.each([
    ['without a token', {}, '', 401, 'unauthorized'],
    ['with an unknown token', { authorization: 'Bearer a.b.c' }, '', 401, 'invalid_token'],
    [
      'with a bad subprotocol',
      { 'sec-websocket-protocol': 'bearer.a.b.c' },
      '',
      401,
      'invalid_token',
    ],
    ['from an event that is not there', { token: 'admin' }, '?after=9-9', 400, 'invalid_input'],
    ['from a malformed event id', { token: 'admin' }, '?after=x', 400, 'invalid_input'],
    ['without the scope', { token: 'memex:read' }, '', 403, 'insufficient_scope'],
  ] as const)(
    'a WebSocket is refused %s',
    async (_what, { token, ...headers }: Record<string, string>, query, status, code) => {
      const { tenant, mission } = freshOwner()
      const api = await workerApi(tenant)
      await api.ok('put_mission', { mission, body: {} })
      const scope = token === undefined ? [] : [token as 'admin']
      const authorization =
        token === undefined
          ? {}
          : { authorization: `Bearer ${await rootToken(signer, tenant, { scope })}` }
      const response = await open(`/v1/missions/${mission}/events${query}`, {
        ...headers,
        ...authorization,
      })
      expect({ ...(await response.json<object>()) }).toMatchObject({ status, code })
    },
  )

  test('a WebSocket to a mission that does not exist is answered with 404', async () => {
    const { tenant } = freshOwner()
    const authorization = `Bearer ${await rootToken(signer, tenant)}`
    const response = await open('/v1/missions/never-opened/events', { authorization })
    expect(await response.json()).toMatchObject({ status: 404, code: 'mission_not_found' })
  })
})
