import { beforeAll, describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freshOwner } from '../support/fresh.ts'
import { openaiTurn, request, text } from '../support/transcripts.ts'
import { workerApi } from '../support/worker.ts'

const NAMES = ['alpha-1', 'alpha-2', 'beta.1', 'beta_2', 'gamma']
const policy = { trigger: { type: 'always' }, keep: 0 }

describe('what is asked across missions', () => {
  const { tenant } = freshOwner()
  let api: Api
  const entries: NonNullable<Output<'mask'>['log_entry']>[] = []

  beforeAll(async () => {
    api = await workerApi(tenant)
    for (const [n, mission] of NAMES.entries()) {
      const name = n % 2 === 0 ? 'read' : 'grep'
      const source = request(openaiTurn({ id: `c${n}`, name, content: text(900, mission) }))
      const body = `{"request":${source},"policy":${JSON.stringify(policy)},"window_tokens":9000}`
      const { log_entry } = await api.ok('mask', { mission, body })
      if (log_entry !== null) entries.push(log_entry)
    }
    await eventually(async () => {
      expect((await api.ok('masking_log')).items).toHaveLength(NAMES.length)
    })
  })

  const missions = async (query: Record<string, string | number> = {}) =>
    (await api.ok('list_missions', { query })).items.map(({ id }) => id)

  test('lists missions newest first, page by page', async () => {
    const newest = NAMES.toReversed()
    expect(await missions()).toEqual(newest)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string | number> = { limit: 2, ...(cursor && { cursor }) }
      const page: Output<'list_missions'> = await api.ok('list_missions', { query })
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(newest)
  })

  test.each([
    ['alpha', ['alpha-2', 'alpha-1']],
    ['_', ['beta_2']],
    ['%', []],
    ['.', ['beta.1']],
    ['ALPHA', []],
    ["'); DROP TABLE missions;--", []],
    ['" OR 1=1', []],
    ['x'.repeat(64), []],
    ['\u0000', []],
    ['\ud800', []],
  ])('searches for %j literally', async (q, found) => {
    expect(await missions({ q })).toEqual(found)
    expect(await missions()).toHaveLength(NAMES.length)
  })

  test('filters by status', async () => {
    expect(await missions({ status: 'active' })).toHaveLength(NAMES.length)
    expect(await missions({ status: 'completed' })).toEqual([])
  })

  test('gives the masking log newest first, by tool and since a time', async () => {
    const ids = async (query: Record<string, string | number> = {}) =>
      (await api.ok('masking_log', { query })).items.map(({ id }) => id)
    const newest = entries.toReversed()
    expect(await ids()).toEqual(newest.map(({ id }) => id))
    expect(await ids({ tool: 'grep' })).toEqual(
      newest.filter(({ items }) => items[0]?.tool === 'grep').map(({ id }) => id),
    )
    const since = entries[3]?.at ?? ''
    expect(await ids({ since })).toEqual(newest.filter(({ at }) => at >= since).map(({ id }) => id))
    expect(await ids({ tool: 'nobody' })).toEqual([])
  })

  test('shows a token that is bound to one mission that mission alone', async () => {
    const bound = await workerApi(tenant, { mission: 'gamma' })
    expect((await bound.ok('list_missions')).items.map(({ id }) => id)).toEqual(['gamma'])
    expect((await bound.ok('masking_log')).items.map(({ mission }) => mission)).toEqual(['gamma'])
    expect((await bound.ok('list_missions', { query: { q: 'alpha' } })).items).toEqual([])
  })

  test('answers the cursor of another list with an empty page', async () => {
    const { next_cursor } = await api.ok('list_missions', { query: { limit: 1 } })
    const query = { cursor: next_cursor ?? '' }
    expect(await api.ok('masking_log', { query })).toEqual({ items: [], next_cursor: null })
  })

  test('gives the history of one mission page by page', async () => {
    const mission = 'alpha-1'
    for (let percent = 1; percent <= 5; percent++)
      await api.ok('report_context', { mission, body: { used_percentage: percent } })
    const whole = (await api.ok('context_history', { mission })).items
    const seen: unknown[] = []
    let cursor: string | null = null
    do {
      const query: Record<string, string | number> = { limit: 4, ...(cursor && { cursor }) }
      const page: Output<'context_history'> = await api.ok('context_history', { mission, query })
      seen.push(...page.items)
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(seen).toEqual(whole)
    expect(whole).toHaveLength(6)
  })
})
