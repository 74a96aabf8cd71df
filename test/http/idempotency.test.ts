import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { inTurn, before } from '../support/faults.ts'
import type { Plan } from '../support/faults.ts'
import { calls, memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { anthropicSession } from '../support/session.ts'

const session = anthropicSession(8)
const policy = { trigger: { type: 'always' } }
const headers = { 'idempotency-key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' }
const sent = { mission: 'm', headers, body: { request: session, policy } }

describe('a POST with an Idempotency-Key', () => {
  test('a mask with a key is done once, and its repetition answers the same request', async () => {
    const api = await memoryApi(memoryDeps())
    const first = await api.send('mask', sent)
    const text = await first.text()
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    const again = await api.send('mask', sent)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const answer = JSON.parse(text)
    expect(await again.json()).toMatchObject({
      request: answer.request,
      masked: 0,
      masked_before: answer.masked,
      first_changed_pointer: null,
    })
    const { items } = await api.ok('mission_log', { mission: 'm', log: 'masking' })
    expect(items).toHaveLength(1)
    expect((await api.ok('context_history', { mission: 'm' })).items).toHaveLength(1)
  })

  test('a mask without a key is planned each time, and masks once', async () => {
    const api = await memoryApi(memoryDeps())
    for (let times = 0; times < 2; times++) await api.ok('mask', { ...sent, headers: {} })
    const { items } = await api.ok('mission_log', { mission: 'm', log: 'masking' })
    expect(items).toHaveLength(1)
    expect((await api.ok('context_history', { mission: 'm' })).items).toHaveLength(2)
  })

  test('a key is refused with another body and for another operation', async () => {
    const api = await memoryApi(memoryDeps())
    await api.ok('mask', sent)
    const other = { ...sent, body: { request: session } }
    expect(await api.refused('mask', other)).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    })
    const report = { ...sent, body: { used_percentage: 3 } }
    expect(await api.refused('report_context', report)).toMatchObject({
      code: 'idempotency_key_reused',
    })
  })

  test('the same key in another mission is another key', async () => {
    const api = await memoryApi(memoryDeps())
    await api.ok('mask', sent)
    const other = await api.send('mask', { ...sent, mission: 'n' })
    expect(other.headers.has('idempotent-replayed')).toBe(false)
  })

  test('a repetition is answered with 409 and Retry-After while the first mask runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const plan: Plan = (method) => (method === 'put' ? { when: 'waiting', on: promise } : undefined)
    const deps = memoryDeps({ memex: plan })
    const api = await memoryApi(deps)
    await api.ok('put_mission', { mission: 'm', body: {} })
    const first = api.ok('mask', sent)
    await eventually(() => expect(calls(deps.memex, 'put')).not.toEqual({}))
    const second = await api.send('mask', sent)
    expect(second.headers.get('retry-after')).toBe('2')
    expect(await second.json()).toMatchObject({ status: 409, code: 'request_in_progress' })
    resolve()
    expect((await first).masked).toBeGreaterThan(0)
    expect((await api.send('mask', sent)).headers.get('idempotent-replayed')).toBe('true')
  })

  test('a mask that opens its mission is done once, even when it is sent five times at once', async () => {
    const api = await memoryApi(memoryDeps())
    const all = await Promise.all(Array.from({ length: 5 }, () => api.send('mask', sent)))
    const bodies = await Promise.all(all.map(async (one) => `${one.status} ${await one.text()}`))
    expect(bodies.filter((body) => !body.startsWith('409'))).not.toEqual([])
    expect(new Set(bodies.filter((body) => body.startsWith('200'))).size).toBe(1)
    const { items } = await api.ok('mission_log', { mission: 'm', log: 'masking' })
    expect(items).toHaveLength(1)
  })

  test('a mask that failed in an outage is done when it comes again', async () => {
    // The call that records the mask fails before it takes effect.
    const plan = inTurn('apply', before('Network connection lost.'))
    const api = await memoryApi(memoryDeps({ missions: plan }))
    expect(await api.refused('mask', sent)).toMatchObject({ code: 'temporarily_unavailable' })
    expect((await api.ok('mask', sent)).masked).toBeGreaterThan(0)
    const { items } = await api.ok('mission_log', { mission: 'm', log: 'masking' })
    expect(items).toHaveLength(1)
  })

  test.each(['a b', 'a'.repeat(129), '\u00e9'])('the key %j is refused', async (key) => {
    const api = await memoryApi(memoryDeps())
    const bad = { ...sent, headers: { 'idempotency-key': key } }
    expect(await api.refused('mask', bad)).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/header/idempotency-key' }],
    })
  })
})
