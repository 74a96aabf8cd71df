import { beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../../support/api.ts'
import { memoryApi, memoryDeps } from '../../support/memory-deps.ts'
import { anthropicSession } from '../../support/session.ts'
import { breadcrumb, extract, summary } from '../../support/working-memory.ts'

const mission = 'm.1'

let api: Api
beforeEach(async () => {
  api = await memoryApi(memoryDeps())
})

describe('judge_layout', () => {
  const objective = 'Find why the nightly build is red.'
  const success_criteria = 'The build is green twice in a row.'

  it('finds objective, criteria and blocks where they belong, and stores nothing', async () => {
    await api.ok('put_mission', { mission, body: { objective, success_criteria } })
    await api.ok('put_block', { mission, label: 'task_state', body: { text: 'Step 2 of 5.' } })
    const before = await api.ok('get_mission', { mission })
    const session = anthropicSession(3)
    const system = `${objective}\n${success_criteria}\nStep 2 of 5.`
    const layout = await api.ok('judge_layout', {
      mission,
      body: { request: { ...session, system } },
    })
    expect(layout).toMatchObject({ first_100: { fits: true, holds: true }, breaks: [] })
    expect(layout.order[0]).toEqual({ part: 'objective', place: 'start', pointers: ['/system'] })
    expect(await api.ok('get_mission', { mission })).toEqual(before)
  })

  it('says that objective and criteria do not fit into the first 100 tokens', async () => {
    const long = 'Find why it is red. '.repeat(30)
    await api.ok('put_mission', { mission, body: { objective: long, success_criteria } })
    const layout = await api.ok('judge_layout', {
      mission,
      body: { request: { ...anthropicSession(3), system: `${long}${success_criteria}` } },
    })
    expect(layout.first_100).toMatchObject({ fits: false, holds: false })
    expect(layout.first_100.tokens).toBeGreaterThan(100)
    expect(layout.breaks[0]).toMatchObject({
      rule: 'critical_within_first_100_tokens',
      detail: expect.stringContaining("don't fit the first 100"),
      hint: expect.any(String),
    })
  })

  it('names old outputs that stand in full, and none once they are masked', async () => {
    await api.ok('put_mission', { mission, body: { objective, success_criteria } })
    const request = { ...anthropicSession(20), system: `${objective} ${success_criteria}` }
    const raw = await api.ok('judge_layout', { mission, body: { request } })
    expect(new Set(raw.breaks.map(({ rule }) => rule))).toEqual(new Set(['recent_turns_only']))
    const policy = { trigger: { type: 'always' }, keep: 3 }
    const masked = await api.ok('mask', { mission, body: { request, policy } })
    const body = { request: masked.request as Record<string, unknown> }
    expect((await api.ok('judge_layout', { mission, body })).breaks).toEqual([])
  })
})

describe('list_signals', () => {
  const held = async () => {
    const { items } = await api.ok('list_signals', { mission })
    return Object.fromEntries(items.map(({ id, holds, figures }) => [id, { holds, ...figures }]))
  }

  it('hold for a mission to which nothing has happened', async () => {
    await api.ok('put_mission', { mission, body: {} })
    const { items } = await api.ok('list_signals', { mission })
    expect(items.every(({ holds }) => holds)).toBe(true)
    expect(items.map(({ id }) => id)).toEqual([
      'one_extract_per_masked_output',
      'three_to_five_bullets_each',
      'logs_chronological',
      'back_under_amber',
      'no_summary_of_a_summary',
      'breadcrumb_at_completion',
      'context_switched',
    ])
  })

  it('tell what is still missing, with figures, until it is done', async () => {
    const request = anthropicSession(6)
    const policy = { trigger: { type: 'always' }, keep: 0 }
    const report = (body: object) => api.ok('report_context', { mission, body })
    await report({ request })
    const { decisions } = await api.ok('mask', { mission, body: { request, policy } })
    const masked = decisions.filter(({ decision, bytes }) => decision === 'masked' && bytes >= 2048)
    expect(masked.length).toBeGreaterThan(3)
    expect(await held()).toMatchObject({
      one_extract_per_masked_output: { holds: false, masked: masked.length, with_extract: 0 },
      three_to_five_bullets_each: { holds: true, extracts: 0, fewest: null },
      logs_chronological: { holds: true, lines: 1, out_of_order: 0 },
    })
    for (const { call_id, tool, turn } of masked)
      await api.ok('put_extract', { mission, task: 't', turn, body: extract(call_id, { tool }) })
    expect(await held()).toMatchObject({
      one_extract_per_masked_output: { holds: true, with_extract: masked.length },
      three_to_five_bullets_each: { holds: true, extracts: masked.length, fewest: 3, most: 3 },
    })

    await report({ used_percentage: 72, turn: 40 })
    expect(await held()).toMatchObject({
      back_under_amber: { holds: false, percent: 72, amber: 60 },
    })
    await api.ok('add_summary', { mission, body: summary(1, 5, { context_percent: 55 }) })
    await api.ok('add_summary', { mission, body: summary(6, 10, { context_percent: 52 }) })
    expect(await held()).toMatchObject({
      back_under_amber: { holds: true, percent: 52 },
      no_summary_of_a_summary: { holds: true, summaries: 2, overlapping: 0 },
      logs_chronological: { holds: true, lines: 3 },
    })

    await report({ used_percentage: 52, turn: 41, task_complete: true })
    expect(await held()).toMatchObject({
      breadcrumb_at_completion: { holds: false, completed: 1, with_breadcrumb: 0 },
      context_switched: { holds: false, contexts: 1, waiting: 1 },
    })
    await api.ok('leave_breadcrumb', { mission, body: breadcrumb(200) })
    expect(await held()).toMatchObject({
      breadcrumb_at_completion: { holds: true, with_breadcrumb: 1 },
      context_switched: { holds: false },
    })
    await report({ used_percentage: 2, turn: 1 })
    expect(await held()).toMatchObject({
      breadcrumb_at_completion: { holds: true, completed: 1, with_breadcrumb: 1 },
      context_switched: { holds: true, contexts: 2, waiting: 0 },
    })
  })

  it('take a summary of another context for what it is', async () => {
    const report = (body: object) => api.ok('report_context', { mission, body })
    await report({ used_percentage: 66, turn: 40 })
    await api.ok('add_summary', { mission, body: summary(1, 5) })
    await report({ used_percentage: 66, turn: 20, cause: 'switch' })
    await api.ok('add_summary', { mission, body: summary(1, 5) })
    expect(await held()).toMatchObject({
      no_summary_of_a_summary: { holds: true, summaries: 2, overlapping: 0 },
    })
  })
})
