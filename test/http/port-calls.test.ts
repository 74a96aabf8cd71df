import { describe, expect, test } from 'vitest'
import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import type { Api } from '../support/api.ts'
import { calls, memoryApi, memoryDeps } from '../support/memory-deps.ts'
import type { MemoryDeps } from '../support/memory-deps.ts'
import { anthropicSession } from '../support/session.ts'

const OBJECT = ['read', 'apply', 'applyAndRead', 'page'] as const
const MEMEX = ['put', 'get', 'head', 'list', 'remove', 'erase'] as const
const LOGS = ['write', 'missions', 'masking', 'folds', 'erase'] as const
const session = anthropicSession(12)
const policy = { trigger: { type: 'always' } } as const

/** How often `work` calls each method of each port. */
async function spent(deps: MemoryDeps, work: () => Promise<unknown>) {
  const count = () => ({
    object: calls(deps.missions, ...OBJECT),
    memex: calls(deps.memex, ...MEMEX),
    logs: calls(deps.logs, ...LOGS),
    revocations: calls(deps.revocations, 'anyRevoked'),
    cache: calls(deps.excerptCache, 'get', 'put'),
  })
  const start = count()
  await work()
  const end = count()
  const since = (port: keyof typeof end) =>
    Object.fromEntries(
      Object.entries(end[port])
        .map(([method, times]) => [method, times - (start[port][method] ?? 0)] as const)
        .filter(([, times]) => times > 0),
    )
  return {
    object: since('object'),
    memex: since('memex'),
    logs: since('logs'),
    revocations: since('revocations'),
    cache: since('cache'),
  }
}

describe('what a request costs', () => {
  const setUp = async (): Promise<{ deps: MemoryDeps; api: Api }> => {
    const deps = memoryDeps()
    const api = await memoryApi(deps)
    await api.ok('put_mission', { mission: 'm', body: {} })
    return { deps, api }
  }

  test('masking takes two calls of the object and one put for each excerpt', async () => {
    const { deps, api } = await setUp()
    let masked = 0
    const cost = await spent(deps, async () => {
      const answer = await api.ok('mask', { mission: 'm', body: { request: session, policy } })
      masked = answer.masked
    })
    expect(masked).toBeGreaterThan(5)
    expect(cost).toMatchObject({
      object: { read: 1, apply: 1 },
      memex: { put: masked },
      revocations: { anyRevoked: 1 },
      cache: {},
    })
  })

  test('unmasking takes one call of the object and one read for each excerpt', async () => {
    const { deps, api } = await setUp()
    const { request, masked } = await api.ok('mask', {
      mission: 'm',
      body: { request: session, policy },
    })
    const cost = await spent(deps, () => api.ok('unmask', { mission: 'm', body: { request } }))
    expect(cost).toMatchObject({ object: { read: 1 }, memex: { get: masked }, logs: {} })
  })

  test('reading an excerpt touches neither object nor D1, and R2 only the first time', async () => {
    const { deps, api } = await setUp()
    const bytes = utf8('evidence')
    const digest = await sha256(bytes)
    await api.ok('put_excerpt', { mission: 'm', sha256: digest, body: bytes })
    const read = () => api.ok('read_excerpt', { mission: 'm', sha256: digest })
    expect(await spent(deps, read)).toMatchObject({
      object: {},
      logs: {},
      memex: { get: 1 },
      cache: { get: 1, put: 1 },
    })
    expect(deps.deferred).toHaveLength(1)
    await Promise.all(deps.deferred)
    expect(await spent(deps, read)).toMatchObject({ object: {}, logs: {}, memex: {} })
  })

  test('HEAD and 304 read no bytes', async () => {
    const { deps, api } = await setUp()
    const digest = await sha256(utf8('evidence'))
    await api.ok('write_excerpt', { mission: 'm', body: 'evidence' })
    for (const sent of [{ method: 'HEAD' }, { headers: { 'if-none-match': `"${digest}"` } }])
      expect(
        await spent(deps, () =>
          api.send('read_excerpt', { mission: 'm', sha256: digest, ...sent }),
        ),
      ).toMatchObject({ object: {}, logs: {}, cache: {}, memex: { head: 1 } })
  })

  test.each([
    ['put_mission', { body: {} }, { apply: 1 }],
    ['get_mission', {}, { read: 1 }],
    ['report_context', { body: { used_percentage: 12 } }, { apply: 1 }],
    ['write_excerpt', { body: 'evidence' }, { apply: 1 }],
    ['mission_log', { log: 'masking' }, { read: 1, page: 1 }],
    ['context_history', {}, { read: 1, page: 1 }],
  ] as const)('%s with %j takes the calls %j of the object', async (name, sent, object) => {
    const { deps, api } = await setUp()
    const cost = await spent(deps, () => api.ok(name, { mission: 'm', ...sent }))
    expect(cost.object).toEqual(object)
  })

  test('a refused request costs nothing but the check of its token', async () => {
    const { deps, api } = await setUp()
    const cost = await spent(deps, async () => {
      await api.refused('mask', { mission: 'm', body: { request: {} } })
      await api.refused('mask', { mission: 'm', body: '{"request":' })
      await api.refused('write_excerpt', { mission: 'm', body: 'x', query: { kind: 'summary' } })
      await api.refused('report_context', { mission: 'm', body: {}, token: null })
    })
    expect(cost).toEqual({
      object: {},
      memex: {},
      logs: {},
      cache: {},
      revocations: { anyRevoked: 3 },
    })
  })
})
