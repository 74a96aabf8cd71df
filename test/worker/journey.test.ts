import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import { SCOPES } from '../../src/domain/access/scope.ts'
import { digestOfRef, sha256 } from '../../src/domain/digest.ts'
import type { Ref } from '../../src/domain/digest.ts'
import { createApi } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { anthropicSession, openaiSession } from '../support/session.ts'
import { claimsOf } from '../support/tokens.ts'
import { fetchWorker, workerApi } from '../support/worker.ts'

const always = { trigger: { type: 'always' } } as const
const text = new TextDecoder()

describe.each([
  { format: 'anthropic_messages', session: anthropicSession(24), window: 200_000 },
  { format: 'openai_chat', session: openaiSession(24), window: 128_000 },
])('one whole journey with $format', ({ format, session, window }) => {
  const tenant = `journey-${format}`
  const mission = 'Fix_the-test.1'
  const source = JSON.stringify(session, null, 1)
  let api: Api
  let masked: Output<'mask'>
  let refs: Ref[]

  test('a minted token has the scopes that were asked for and no more', async () => {
    const root = await workerApi(tenant)
    const scope = SCOPES.filter((name) => name !== 'admin' && name !== 'fold:check')
    const minted = await root.ok('mint_token', { body: { scope, expires_in_s: 600 } })
    const claims = claimsOf(minted.token)
    expect(claims).toMatchObject({ tenant, scope, jti: minted.jti })
    expect(claims.parents).toHaveLength(1)
    expect(Date.parse(minted.expires_at)).toBe(claims.exp * 1000)
    api = createApi(fetchWorker, minted.token)
  })

  test('a mission is opened, and opening it again changes it', async () => {
    const first = await api.send('put_mission', { mission, body: { objective: 'Find the fault.' } })
    expect(first.status).toBe(201)
    const second = await api.send('put_mission', { mission, body: { policy: { keep: 2 } } })
    expect(second.status).toBe(200)
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      id: mission,
      status: 'active',
      phase: 'assess',
      fold: 'none',
      context: null,
      storage: 'memex',
    })
  })

  test('masking replaces old results by refs, with the policy of mission and call', async () => {
    const body = `{"policy":${JSON.stringify(always)},"request":${source}}`
    masked = await api.ok('mask', { mission, body })
    const results = masked.decisions.length
    expect(masked).toMatchObject({ format, storage: 'memex', masked: results - 2 })
    expect(masked.decisions.slice(-2).map((one) => one.decision)).toEqual([
      'inside_keep_window',
      'inside_keep_window',
    ])
    expect(masked.first_changed_pointer).toBe(masked.decisions[0]?.pointer)
    expect(masked.context.after).toBeLessThan(masked.context.before ?? 0)
    refs = masked.decisions.flatMap(({ ref }) => (ref === undefined ? [] : [ref as Ref]))
    expect(new Set(refs).size).toBe(results - 2)
  })

  test('the mission now knows its model, its window and its context', async () => {
    const { context, ...rest } = await api.ok('get_mission', { mission })
    expect(rest).toMatchObject({ model: session['model'], window_tokens: window })
    expect(context).toMatchObject({ percent: masked.context.after, method: 'counted' })
  })

  test('every ref resolves to bytes that hash to it, one by one and all at once', async () => {
    const bodies = new Map<string, string>()
    for (const ref of refs) {
      const digest = digestOfRef(ref)
      const bytes = await api.ok('read_excerpt', { mission, sha256: digest })
      expect(await sha256(bytes)).toBe(digest)
      bodies.set(ref, text.decode(bytes))
    }
    const missing = `memex://excerpt/${'0'.repeat(64)}`
    const batch = await api.ok('read_excerpts', { mission, body: { refs: [...refs, missing] } })
    expect(batch.missing).toEqual([missing])
    expect(batch.items.map((item) => [item.ref, item.text])).toEqual([...bodies])
  })

  test('the index lists what was stored, page by page', async () => {
    const listed: string[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string | number> = { limit: 10, ...(cursor && { cursor }) }
      const page: Output<'list_excerpts'> = await api.ok('list_excerpts', { mission, query })
      listed.push(...page.items.map((item) => item.ref))
      expect(page.items.every((item) => item.kind === 'tool_output')).toBe(true)
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(listed).toEqual(refs.toSorted())
  })

  test('masking again changes nothing', async () => {
    const body = { request: masked.request, policy: always }
    const again = await api.ok('mask', { mission, body })
    expect(again).toMatchObject({ masked: 0, first_changed_pointer: null, log_entry: null })
    expect(again.request).toEqual(masked.request)
    const old = again.decisions.slice(0, -2)
    expect(new Set(old.map((one) => one.decision))).toEqual(new Set(['already_masked']))
  })

  test('unmasking gives the request back, all of it or the named refs', async () => {
    const all = await api.ok('unmask', { mission, body: { request: masked.request } })
    expect(all).toMatchObject({ restored: refs.length, not_restored: [] })
    expect(all.request).toEqual(session)
    const [first] = refs
    const one = await api.ok('unmask', {
      mission,
      body: { request: masked.request, refs: [first], return: 'edits' },
    })
    expect(one).toMatchObject({ restored: 1, edits: [{ pointer: masked.first_changed_pointer }] })
    expect(one.not_restored).toHaveLength(refs.length - 1)
    expect(new Set(one.not_restored.map(({ reason }) => reason))).toEqual(
      new Set(['not_requested']),
    )
  })

  test('what is pinned stays when masking runs again', async () => {
    const body = { request: masked.request, refs: [refs[1]], pin: true }
    const pinned = await api.ok('unmask', { mission, body })
    expect(pinned.restored).toBe(1)
    const again = await api.ok('mask', {
      mission,
      body: { request: pinned.request, policy: always },
    })
    expect(again.masked).toBe(0)
    expect(again.decisions[1]).toMatchObject({ decision: 'pinned' })
  })

  test('context reports state their method, and are kept in the history', async () => {
    const host = await api.ok('report_context', { mission, body: { used_percentage: 62.5 } })
    expect(host).toMatchObject({ percent: 62.5, tokens: null, method: 'host', zone: 'amber' })
    const usage = {
      input_tokens: 1000,
      cache_read_input_tokens: window * 0.9 - 2000,
      cache_creation_input_tokens: 1000,
      output_tokens: 500,
    }
    const used = await api.ok('report_context', { mission, body: { usage } })
    expect(used).toMatchObject({ percent: 90, tokens: window * 0.9, method: 'usage' })
    expect(used).toMatchObject({ zone: 'critical' })
    const counted = await api.ok('report_context', { mission, body: { request: masked.request } })
    expect(counted).toMatchObject({ method: 'counted', window_tokens: window })
    const body = { characters: 35_000, task_complete: true, cause: 'guess' }
    const guessed = await api.ok('report_context', { mission, body })
    expect(guessed).toMatchObject({ tokens: 10_000, method: 'estimated', zone: 'green' })
    expect(guessed.advice).toMatchObject({ action: 'switch', rule: 'task_done' })

    const { items } = await api.ok('context_history', { mission })
    const methods = items.map((sample) => sample.method)
    expect(methods.slice(-4)).toEqual(['host', 'usage', 'counted', 'estimated'])
    expect(items.at(-1)).toMatchObject({ cause: 'guess', percent: guessed.percent })
    expect(items.map((sample) => sample.at)).toEqual(items.map((sample) => sample.at).toSorted())
  })

  test('the masking log has the line of the seed, in the mission and across missions', async () => {
    const { items } = await api.ok('mission_log', { mission, log: 'masking' })
    expect(items).toEqual([masked.log_entry])
    const { at, percent, line } = items[0] as NonNullable<typeof masked.log_entry>
    expect(line).toBe(`[${at}] masked ${refs.length} outputs, new context %: ${percent}`)
    await eventually(async () => {
      const across = await api.ok('masking_log', { query: { tool: 'grep', since: at } })
      expect(across.items).toEqual([{ mission, ...masked.log_entry }])
    })
    expect(await api.ok('masking_log', { query: { tool: 'write_file' } })).toMatchObject({
      items: [],
    })
  })

  test('the tenant finds its mission in the list', async () => {
    const { context } = await api.ok('get_mission', { mission })
    await eventually(async () => {
      const { items } = await api.ok('list_missions', { query: { q: 'the-test' } })
      expect(items).toMatchObject([{ id: mission, status: 'active', percent: context?.percent }])
    })
    expect(await api.ok('list_missions', { query: { status: 'halted' } })).toMatchObject({
      items: [],
    })
  })

  test('the state outlives the object that held it', async () => {
    const before = await api.ok('get_mission', { mission })
    await evictDurableObject(env.MISSIONS.getByName(`${tenant}/${mission}`))
    expect(await api.ok('get_mission', { mission })).toEqual(before)
    const all = await api.ok('unmask', { mission, body: { request: masked.request } })
    expect(all.request).toEqual(session)
  })

  test('erasing takes excerpts, rows and state, and keeps the id closed', async () => {
    const refused = await api.refused('delete_mission', { mission })
    expect(refused).toMatchObject({ code: 'insufficient_scope' })
    const admin = await workerApi(tenant)
    const erasing = await admin.send('delete_mission', { mission })
    expect(erasing.status).toBe(202)
    expect(await erasing.json()).toEqual({ erasing: true })

    expect(await api.refused('get_mission', { mission })).toMatchObject({
      code: 'mission_not_found',
    })
    for (const [name, body] of [
      ['put_mission', {}],
      ['mask', { request: session, policy: always }],
      ['unmask', { request: masked.request }],
      ['report_context', { used_percentage: 1 }],
      ['write_excerpt', 'too late'],
    ] as const)
      expect(await api.refused(name, { mission, body })).toMatchObject({ code: 'mission_erased' })
    expect((await admin.send('delete_mission', { mission })).status).toBe(202)

    await eventually(async () => {
      const { objects } = await env.MEMEX.list({ prefix: `${tenant}/${mission}/` })
      expect(objects).toEqual([])
      expect((await api.ok('list_missions')).items).toEqual([])
      expect((await api.ok('masking_log')).items).toEqual([])
    })
    for (const name of ['list_excerpts', 'context_history'] as const)
      expect(await api.refused(name, { mission })).toMatchObject({ code: 'mission_not_found' })
    expect(await api.refused('mission_log', { mission, log: 'masking' })).toMatchObject({
      code: 'mission_not_found',
    })
  })
})
