import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { after, before, callsOf, inTurn } from '../support/faults.ts'
import type { Plan } from '../support/faults.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { anthropicSession } from '../support/session.ts'
import { rootToken } from '../support/tokens.ts'

const mission = 'm-1'
const report = { used_percentage: 40 }

async function service(missions?: Plan) {
  const deps = memoryDeps(missions === undefined ? {} : { missions })
  let now = Date.UTC(2026, 10, 30, 12)
  const clocked = { ...deps, now: () => now }
  const api = await memoryApi(clocked)
  const wait = (ms: number): void => {
    now += ms
  }
  const samples = async () => (await api.ok('context_history', { mission })).items
  const post = async (key: string, body: object = report) => {
    const headers = { 'idempotency-key': key }
    const response = await api.send('report_context', { mission, body, headers })
    const text = await response.text()
    return { status: response.status, text, replayed: response.headers.get('idempotent-replayed') }
  }
  return { api, deps, wait, samples, post }
}

const codeOf = ({ text }: { text: string }): string => (JSON.parse(text) as { code: string }).code

describe('an Idempotency-Key', () => {
  test.each(['k-1', '"k-1"'])(
    'under the key %s a request is done once and its answer is repeated',
    async (key) => {
      const { api, post, samples } = await service()
      await api.ok('put_mission', { mission, body: {} })
      const first = await post(key)
      await api.ok('report_context', { mission, body: { used_percentage: 90 } })
      const again = await post('k-1')
      expect(first).toMatchObject({ status: 200, replayed: null })
      expect(again).toEqual({ ...first, replayed: 'true' })
      expect(await samples()).toHaveLength(2)
    },
  )

  test('a request that opens the mission is done once too', async () => {
    const { post, samples } = await service()
    const first = await post('k-1')
    expect(await post('k-1')).toEqual({ ...first, replayed: 'true' })
    expect(await samples()).toHaveLength(1)
  })

  test('a key that another request used is refused', async () => {
    const { api, post, samples } = await service()
    await post('k-1')
    const other = await post('k-1', { used_percentage: 41 })
    expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_key_reused'])
    const elsewhere = await api.refused('move_phase', {
      mission,
      body: { to: 'locate' },
      headers: { 'idempotency-key': 'k-1' },
    })
    expect(elsewhere).toMatchObject({ code: 'idempotency_key_reused' })
    expect(await samples()).toHaveLength(1)
  })

  test('a key that another request used is refused even when the first answer was lost', async () => {
    const { api, post, samples } = await service(inTurn('apply', undefined, after('isolate lost')))
    await api.ok('put_mission', { mission, body: {} })
    expect((await post('k-1')).status).toBe(503)
    const other = await post('k-1', { used_percentage: 90 })
    expect([other.status, codeOf(other)]).toEqual([422, 'idempotency_key_reused'])
    expect(await post('k-1')).toMatchObject({ status: 200 })
    expect((await samples()).map(({ percent }) => percent)).toEqual([40])
  })

  test('only one of two different requests that open the mission at once gets the key', async () => {
    const { post, samples } = await service()
    const both = await Promise.all([post('k-1'), post('k-1', { used_percentage: 90 })])
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 422,
    ])
    const percent = both[0]?.status === 200 ? 40 : 90
    expect((await samples()).map((sample) => sample.percent)).toEqual([percent])
    expect(await post('k-1', { used_percentage: percent })).toMatchObject({ replayed: 'true' })
  })

  test('a key is free for another request after 30 days', async () => {
    const { deps, post } = await service()
    await post('k-1')
    const later = await memoryApi({ ...deps, now: () => Date.UTC(2026, 11, 31, 12) })
    const headers = { 'idempotency-key': 'k-1' }
    const sent = { mission, body: { used_percentage: 88 }, headers }
    expect(await later.ok('report_context', sent)).toMatchObject({ percent: 88 })
    const items = (await later.ok('context_history', { mission })).items
    expect(items.map(({ percent }) => percent)).toEqual([40, 88])
  })

  test('the same request with other rights is another request', async () => {
    const { api, deps, post, samples } = await service()
    await post('k-1')
    const now = Date.UTC(2026, 10, 30, 12)
    const token = await rootToken(
      deps.signer ?? expect.fail('no signer'),
      'acme',
      { scope: ['mission:write'] },
      now,
    )
    const headers = { 'idempotency-key': 'k-1' }
    const other = await api.refused('report_context', { mission, body: report, headers, token })
    expect(other).toMatchObject({ code: 'idempotency_key_reused' })
    expect(await samples()).toHaveLength(1)
  })

  test('different keys are independent, and so is the same key in different missions', async () => {
    const { api, post, samples } = await service()
    await post('k-1')
    await post('k-2')
    expect(await samples()).toHaveLength(2)
    const headers = { 'idempotency-key': 'k-1' }
    const other = await api.send('report_context', { mission: 'm-2', body: report, headers })
    expect(other.headers.get('idempotent-replayed')).toBeNull()
  })

  test('a key in use is answered with 409 until the first request is answered', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    // put_mission makes the first call of apply; the second one is that of the first report.
    const held = inTurn('apply', undefined, { when: 'waiting', on: promise })
    const { api, deps, post, samples } = await service(held)
    await api.ok('put_mission', { mission, body: {} })
    const first = post('k-1')
    await eventually(() => expect(callsOf(deps.missions ?? {}, 'apply')).toBe(2))
    const second = await post('k-1')
    expect([second.status, codeOf(second)]).toEqual([409, 'request_in_progress'])
    resolve()
    expect((await first).status).toBe(200)
    expect(await post('k-1')).toMatchObject({ status: 200, replayed: 'true' })
    expect(await samples()).toHaveLength(1)
  })

  test('a request that died may come again after a minute, and takes effect once', async () => {
    // The report is recorded, but its answer is lost, and so is the release of the key.
    const { api, post, samples, wait } = await service((method, call) => {
      if (method === 'apply' && call === 2) return after('the isolate died')
      return method === 'applyAndRead' && call === 2 ? before('the isolate died') : undefined
    })
    await api.ok('put_mission', { mission, body: {} })
    expect((await post('k-1')).status).toBe(503)
    expect(codeOf(await post('k-1'))).toBe('request_in_progress')
    wait(60_000)
    expect((await post('k-1')).status).toBe(200)
    expect(await samples()).toHaveLength(1)
  })

  test('the key of a request that failed with 503 can be used again at once', async () => {
    const { api, post, samples } = await service(inTurn('apply', undefined, before('overloaded')))
    await api.ok('put_mission', { mission, body: {} })
    expect((await post('k-1')).status).toBe(503)
    expect(await post('k-1')).toMatchObject({ status: 200, replayed: null })
    expect(await samples()).toHaveLength(1)
  })

  test('a refusal is repeated like any other answer', async () => {
    const { api, post, samples } = await service()
    await api.ok('put_mission', { mission, body: {} })
    const unknown = { usage: { input_tokens: 10 } }
    const first = await post('k-1', unknown)
    expect([first.status, codeOf(first)]).toEqual([422, 'window_unknown'])
    await api.ok('put_mission', { mission, body: { window_tokens: 1000 } })
    expect(await post('k-1', unknown)).toEqual({ ...first, replayed: 'true' })
    expect(await samples()).toEqual([])
  })

  test('an escalation that is sent twice under one key is recorded once', async () => {
    const { api } = await service(inTurn('apply', after('lost'), undefined, undefined, undefined))
    const fired = { trigger: 'ET-1', fired_at: '2026-11-30T12:00:00.000Z', action_taken: 'halt' }
    const post = (key: string) =>
      api.send('record_escalation', { mission, body: fired, headers: { 'idempotency-key': key } })
    expect((await post('k-1')).status).toBe(503)
    expect((await post('k-1')).status).toBe(201)
    expect((await api.ok('list_escalations', { mission })).items).toHaveLength(1)
    expect((await post('k-2')).status).toBe(201)
    expect((await api.ok('list_escalations', { mission })).items).toHaveLength(2)
  })

  test('a mask is done once under a key, and its long answer is made again', async () => {
    const { api } = await service()
    const body = { request: anthropicSession(200), policy: { trigger: { type: 'always' } } }
    const headers = { 'idempotency-key': 'k-1' }
    const first = await api.send('mask', { mission, body, headers })
    const text = await first.text()
    const again = await api.send('mask', { mission, body, headers })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(JSON.parse(await again.text())).toMatchObject({
      request: (JSON.parse(text) as { request: unknown }).request,
    })
    expect((await api.ok('mission_log', { mission, log: 'masking' })).items).toHaveLength(1)
  })

  test.each([
    ['mask', { request: anthropicSession(6), policy: { trigger: { type: 'always' } } }],
    ['unmask', { request: anthropicSession(6) }],
    ['delegate', { objective: 'o', paths: [], success_criteria: 's', window_tokens: 1000 }],
  ] as const)(
    'the answer of %s is not stored, and is made again for a repetition',
    async (name, body) => {
      const { api, deps } = await service()
      await api.ok('put_mission', { mission, body: {} })
      const sent = { mission, body, headers: { 'idempotency-key': 'k-1' } }
      const first = await (await api.send(name, sent)).json<object>()
      const lookups = [{ kind: 'receipt', keys: ['key k-1'] }] as const
      const view = await deps.missions?.read({ tenant: 'acme', mission }, lookups)
      expect(view?.found).toMatchObject([{ body: { answer: { text: null } } }])
      const again = await api.send(name, sent)
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(Object.keys(await again.json<object>()).toSorted()).toEqual(
        Object.keys(first).toSorted(),
      )
    },
  )

  test.each(['a b', 'ü', '""', 'k'.repeat(129)])(
    'the key %s is refused as malformed',
    async (key) => {
      const { api } = await service()
      const sent = { mission, body: report, headers: { 'idempotency-key': key } }
      expect(await api.refused('report_context', sent)).toMatchObject({
        code: 'invalid_input',
        errors: [{ pointer: '/header/idempotency-key' }],
      })
    },
  )

  test('a key is ignored where the method is idempotent by itself', async () => {
    const { api, deps } = await service()
    const headers = { 'idempotency-key': 'k-1' }
    for (let n = 0; n < 2; n++) {
      const put = await api.send('put_mission', { mission, body: {}, headers })
      expect(put.headers.get('idempotent-replayed')).toBeNull()
    }
    expect(callsOf(deps.missions ?? {}, 'applyAndRead')).toBe(0)
  })
})
