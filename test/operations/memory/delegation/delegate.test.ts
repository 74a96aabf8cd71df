import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Output } from '../../../../src/client/operation.ts'
import { utf8 } from '../../../../src/domain/bytes.ts'
import { sha256 } from '../../../../src/domain/digest.ts'
import type { Api } from '../../../support/api.ts'
import { after, before, inTurn } from '../../../support/faults.ts'
import { memoryApi, memoryDeps } from '../../../support/memory-deps.ts'
import type { MemoryDeps } from '../../../support/memory-deps.ts'
import { claimsOf } from '../../../support/tokens.ts'
import { breadcrumb, extract } from '../../../support/working-memory.ts'

const mission = 'parent.1'
const body = {
  objective: 'Refactor the module that reads flags.',
  paths: ['src/flags.ts', 'test/flags.test.ts'],
  success_criteria: 'Its tests pass and nothing else changed.',
  window_tokens: 100_000,
}
/** The two puts that the parent's own excerpts take, and the first copy. */
const notYet = [undefined, undefined, undefined]
const refOf = async (text: string) => `memex://excerpt/${await sha256(utf8(text))}`

let deps: MemoryDeps
let api: Api
beforeEach(async () => {
  deps = memoryDeps()
  api = await memoryApi(deps)
  await api.ok('put_mission', {
    mission,
    body: {
      objective: 'The whole.',
      model: 'claude-opus-4-5',
      policy: { keep: 7 },
      thresholds: { amber: 10 },
    },
  })
  await api.ok('report_context', { mission, body: { used_percentage: 75, turn: 60 } })
})

const delegate = (more: object = {}): Promise<Output<'delegate'>> =>
  api.ok('delegate', { mission, body: { ...body, ...more } })

describe('a delegation', () => {
  it('opens a child mission that starts at 0 % with its own budget and inherits nothing', async () => {
    await api.ok('put_block', { mission, label: 'task_state', body: { text: 'Step 4.' } })
    const { mission: child, packet } = await delegate()
    expect(packet).toEqual({ ...body, breadcrumb: null, excerpts: [] })
    expect(await api.ok('get_mission', { mission: child })).toMatchObject({
      status: 'active',
      phase: 'assess',
      fold: 'none',
      model: null,
      window_tokens: 100_000,
      context: { percent: 0, tokens: 0, window_tokens: 100_000, zone: 'green' },
      advice: { action: 'continue', rule: 'fine' },
      extracts_due: [],
    })
    expect((await api.ok('list_memory', { mission: child })).items).toEqual([])
    expect((await api.ok('list_blocks', { mission: child })).items).toEqual([])
    expect((await api.ok('list_excerpts', { mission: child })).items).toEqual([])
    const view = await deps.missions?.read({ tenant: 'acme', mission: child })
    expect(view?.state.settings).toEqual({
      parent: mission,
      objective: body.objective,
      success_criteria: body.success_criteria,
      window_tokens: 100_000,
    })
    expect((await api.ok('get_mission', { mission })).context).toMatchObject({ percent: 75 })
  })

  it('hands over the last breadcrumb of the parent', async () => {
    await api.ok('leave_breadcrumb', { mission, body: breadcrumb(200) })
    await api.ok('leave_breadcrumb', { mission, body: breadcrumb(200, { next: 'THE LAST' }) })
    const { packet } = await delegate()
    expect(packet.breadcrumb?.path).toBe(`${new Date().toISOString().slice(0, 10)}.md`)
    expect(packet.breadcrumb?.text).toContain('### Next\n\nTHE LAST\n')
    expect(packet.breadcrumb?.text).not.toContain('onwards')
  })

  it('copies the excerpts that its paths name, and those behind its extracts, and no other', async () => {
    for (const text of ['one', 'two', 'three'])
      await api.ok('write_excerpt', { mission, query: { source: `${text}.ts` }, body: text })
    const [one, two, three] = await Promise.all(['one', 'two', 'three'].map(refOf))
    const kept = extract('c1', { ref: two })
    const { path } = await api.ok('put_extract', { mission, task: 't', turn: 1, body: kept })
    await api.ok('put_extract', { mission, task: 't', turn: 2, body: extract('c2') })
    const {
      mission: child,
      packet,
      token,
    } = await delegate({
      paths: [one, `memory/${path}`, 'extracts/t-turn-2.md', one, 'three.ts'],
    })
    expect(packet.excerpts).toEqual([one, two])
    const refs = [one, two, three]
    const read = await api.ok('read_excerpts', { mission: child, token, body: { refs } })
    expect(read.items.map(({ ref, text }) => [ref, text])).toEqual([
      [one, 'one'],
      [two, 'two'],
    ])
    expect(read.missing).toEqual([three])
    const { items } = await api.ok('list_excerpts', { mission: child })
    expect(new Set(items.map(({ source }) => source))).toEqual(new Set(['one.ts', 'two.ts']))
  })

  it('names what is not there, and then opens nothing', async () => {
    const gone = `memex://excerpt/${'0'.repeat(64)}`
    await api.ok('write_excerpt', { mission, body: 'one' })
    const paths = [await refOf('one'), 'a.ts', gone]
    const before = await api.ok('list_missions')
    expect(await api.refused('delegate', { mission, body: { ...body, paths } })).toMatchObject({
      status: 404,
      code: 'excerpt_not_found',
      errors: [{ pointer: '/paths/2' }],
    })
    const extracts = ['memory/extracts/t-turn-9.md']
    expect(
      await api.refused('delegate', { mission, body: { ...body, paths: extracts } }),
    ).toMatchObject({ code: 'memory_file_not_found', errors: [{ pointer: '/paths/0' }] })
    expect(await api.ok('list_missions')).toEqual(before)
  })

  it.each([[{ one_off: true }, 'one_off_mission']])(
    'from a mission with %o is refused with a hint',
    async (settings, code) => {
      await api.ok('put_mission', { mission, body: settings })
      expect(await api.refused('delegate', { mission, body })).toMatchObject({
        status: 409,
        code,
        hint: 'A one-off does not delegate: mask, summarize or switch.',
      })
      expect((await api.ok('list_missions')).items).toHaveLength(1)
    },
  )

  it('that the parent refuses at the last moment leaves no child', async () => {
    const { missions } = deps
    const racing = await memoryApi({
      ...deps,
      missions: {
        ...missions!,
        apply: async (occurrence) => {
          if (occurrence.event.type === 'delegated')
            await missions!.apply({
              ...occurrence,
              event: { type: 'configured', settings: { one_off: true } },
            })
          return missions!.apply(occurrence)
        },
      },
    })
    expect(await racing.refused('delegate', { mission, body })).toMatchObject({
      code: 'one_off_mission',
    })
    expect((await api.ok('list_missions')).items.map(({ id }) => id)).toEqual([mission])
  })

  it.each([
    ['a copy fails', { memex: inTurn('put', ...notYet, before('lost')) }],
    ['a copy fails though it was made', { memex: inTurn('put', ...notYet, after('lost')) }],
  ])('leaves no child and no copies where %s, and works again under its key', async (_, plans) => {
    deps = memoryDeps(plans)
    api = await memoryApi(deps)
    await api.ok('put_mission', { mission, body: {} })
    for (const text of ['one', 'two']) await api.ok('write_excerpt', { mission, body: text })
    const paths = [await refOf('one'), await refOf('two')]
    const sent = { mission, body: { ...body, paths }, headers: { 'idempotency-key': 'k' } }
    const puts = vi.spyOn(deps.memex ?? expect.fail('no memex'), 'put')
    expect((await api.send('delegate', sent)).status).toBe(503)
    expect((await api.ok('list_missions')).items.map(({ id }) => id)).toEqual([mission])
    const [child = expect.fail('no copies')] = puts.mock.calls.map(([owner]) => owner)
    expect((await deps.memex?.list(child, { limit: 9 }))?.items).toEqual([])
    const opened = await api.ok('delegate', sent)
    expect(opened.mission).not.toBe(child.mission)
    expect(opened.packet.excerpts).toEqual(paths)
    expect((await api.ok('list_excerpts', { mission: opened.mission })).items).toHaveLength(2)
    expect((await api.ok('delegate', sent)).mission).toBe(opened.mission)
  })

  it('under a key opens one child, also where the answer was lost', async () => {
    const sent = { mission, body, headers: { 'idempotency-key': 'once' } }
    const { missions } = deps
    const losing = await memoryApi({
      ...deps,
      missions: {
        ...missions!,
        apply: async (occurrence) => {
          const applied = await missions!.apply(occurrence)
          if (occurrence.event.type === 'delegated') throw new Error('the connection was lost')
          return applied
        },
      },
    })
    expect((await losing.send('delegate', sent)).status).toBe(503)
    const opened = await api.ok('delegate', sent)
    // The answer holds a token, which is signed again rather than kept.
    const again = await api.ok('delegate', sent)
    expect(again).toMatchObject({ mission: opened.mission, packet: opened.packet })
    expect(claimsOf(again.token).jti).toBe(claimsOf(opened.token).jti)
    const { items } = await api.ok('list_missions')
    expect(items.map(({ id }) => id).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      mission,
      opened.mission,
    ])
  })

  it('needs a parent that is there', async () => {
    expect(await api.refused('delegate', { mission: 'nobody', body })).toMatchObject({
      code: 'mission_not_found',
    })
  })
})

describe('the token of a child', () => {
  it('reaches the child and nothing else, and ends with its parent', async () => {
    const { token: mine } = await api.ok('mint_token', {
      body: { scope: ['mission:read', 'mission:write', 'memex:read'], mission, expires_in_s: 600 },
    })
    const { mission: child, token } = await api.ok('delegate', { mission, body, token: mine })
    const claims = claimsOf(token)
    expect(claims).toMatchObject({
      tenant: 'acme',
      mission: child,
      scope: ['memex:read', 'mission:read', 'mission:write'],
    })
    expect(claims.parents).toEqual([...(claimsOf(mine).parents ?? []), claimsOf(mine).jti])
    expect(claims.exp).toBeLessThanOrEqual(claimsOf(mine).exp)
    expect(await api.ok('get_mission', { mission: child, token })).toMatchObject({ id: child })
    expect(await api.refused('get_mission', { mission, token })).toMatchObject({
      code: 'mission_not_found',
    })
    expect(await api.refused('get_mission', { mission: child, token: mine })).toMatchObject({
      code: 'mission_not_found',
    })
    await api.ok('revoke_token', { jti: claimsOf(mine).jti })
    expect(await api.refused('get_mission', { mission: child, token })).toMatchObject({
      code: 'token_revoked',
    })
  })

  it('lets the child delegate in its turn', async () => {
    const { mission: child, token } = await delegate()
    const grandchild = await api.ok('delegate', { mission: child, body, token })
    expect(grandchild.mission.length).toBeLessThanOrEqual(64)
    expect(
      await api.ok('get_mission', { mission: grandchild.mission, token: grandchild.token }),
    ).toMatchObject({
      context: { percent: 0 },
    })
  })
})
