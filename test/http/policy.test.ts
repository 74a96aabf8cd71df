import { beforeEach, describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import type { Api } from '../support/api.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { anthropicSession } from '../support/session.ts'

const mission = 'm'
const session = anthropicSession(9, 4000)
type Masked = Output<'mask'>

const decided = ({ decisions }: Masked): string[] => decisions.map(({ decision }) => decision)
const count = (masked: Masked, decision: string): number =>
  decided(masked).filter((one) => one === decision).length

describe('the masking policy', () => {
  let api: Api
  let tokens: number

  const mask = (policy?: object, more: object = {}): Promise<Masked> =>
    api.ok('mask', { mission, body: { request: session, ...(policy && { policy }), ...more } })

  beforeEach(async () => {
    api = await memoryApi(memoryDeps())
    const report = { request: session, window_tokens: 1_000_000 }
    tokens = (await api.ok('report_context', { mission: 'other', body: report })).tokens ?? 0
  })

  test('below its trigger nothing is masked, and nothing is logged', async () => {
    const masked = await mask(undefined, { window_tokens: tokens * 2 })
    expect(masked).toMatchObject({ masked: 0, log_entry: null, first_changed_pointer: null })
    expect(masked.context.before).toBe(masked.context.after)
    expect(new Set(decided(masked))).toEqual(new Set(['target_reached', 'inside_keep_window']))
    expect((await api.ok('mission_log', { mission, log: 'masking' })).items).toEqual([])
  })

  test('at 70 % the oldest results are masked first, until the context is below 60 %', async () => {
    const masked = await mask(undefined, { window_tokens: Math.floor(tokens / 0.75) })
    expect(masked.context.before).toBeGreaterThanOrEqual(70)
    expect(masked.context.after).toBeLessThan(60)
    const order = decided(masked)
    expect(order.slice(0, masked.masked)).toEqual(Array(masked.masked).fill('masked'))
    expect(order.slice(masked.masked)).not.toContain('masked')
    expect(order).toContain('target_reached')
    expect(masked.target_unreachable).toBeUndefined()
    const last = masked.decisions[masked.masked - 1]?.saved_tokens ?? 0
    const without = (masked.context.after ?? 0) + (100 * last) / Math.floor(tokens / 0.75)
    expect(without).toBeGreaterThanOrEqual(60)
  })

  test('where the target is out of reach the answer names the largest results', async () => {
    const masked = await mask({ keep: 9 }, { window_tokens: Math.floor(tokens / 0.95) })
    expect(masked.context.after).toBeGreaterThanOrEqual(60)
    const { largest = [] } = masked.target_unreachable ?? {}
    expect(largest.length).toBeGreaterThan(0)
    const kept = masked.decisions.filter(({ decision }) => decision === 'inside_keep_window')
    expect(kept.map(({ pointer }) => pointer.replace(/\/\d+\/text$/, ''))).toEqual(
      expect.arrayContaining(
        largest.map((pointer) => pointer.replace(/\/\d+\/text$/, '')).slice(0, 1),
      ),
    )
  })

  test('the trigger reads the percentage that the host reported, not a bare count', async () => {
    const window_tokens = tokens * 2
    expect((await mask(undefined, { window_tokens })).masked).toBe(0)
    await api.ok('report_context', { mission, body: { used_percentage: 82, window_tokens } })
    const masked = await mask(undefined, { window_tokens })
    expect(masked.context.before).toBeCloseTo(82, 1)
    expect(masked.masked).toBeGreaterThan(0)
    expect(masked.context.after).toBeLessThan(60)
  })

  test('the trigger reads the meter that the counts of the provider calibrated', async () => {
    const window_tokens = tokens * 2
    const usage = { input_tokens: Math.floor(window_tokens * 0.8), cache_read_input_tokens: 0 }
    const body = { request: session, usage, window_tokens }
    expect(await api.ok('report_context', { mission, body })).toMatchObject({ percent: 80 })
    const masked = await mask(undefined, { window_tokens })
    expect(masked.context.before).toBeCloseTo(80, 0)
    expect(masked.masked).toBeGreaterThan(0)
  })

  test('the policy keeps the window, small results, excluded tools and pinned calls', async () => {
    let missions = 0
    // What one mission masked stays masked: each policy has a mission of its own.
    const fresh = (policy: object): Promise<Masked> =>
      api.ok('mask', { mission: `m${missions++}`, body: { request: session, policy } })
    const always = { trigger: { type: 'always' } }
    const all = await fresh(always)
    const results = all.decisions.length
    expect(all.masked).toBe(results - 3)
    expect((await fresh({ ...always, keep: 0 })).masked).toBe(results)
    // The two results of the last turn: the model has not seen them yet.
    expect(count(await fresh({ ...always, keep: 1 }), 'inside_keep_window')).toBe(2)
    expect(count(await fresh({ ...always, min_bytes: 4001 }), 'small')).toBeGreaterThan(0)
    const grep = all.decisions.filter(({ tool }) => tool === 'grep').length
    const spared = await fresh({ ...always, exclude_tools: ['grep'] })
    expect(count(spared, 'excluded_tool')).toBeGreaterThanOrEqual(grep - 3)
    const [first, second] = all.decisions
    const pinned = await fresh({ ...always, pinned: [first?.call_id, second?.ref] })
    expect(decided(pinned).slice(0, 2)).toEqual(['pinned', 'pinned'])
    const much = await fresh({ ...always, clear_at_least_tokens: tokens })
    expect(much).toMatchObject({ masked: 0, log_entry: null })
  })

  test('a retention decision keeps a result until another one releases it', async () => {
    const policy = { trigger: { type: 'always' } }
    const [first] = (await mask(policy, { return: 'edits' })).decisions
    const { turn = 0, call_id = '' } = first ?? {}
    const retain = (decision: 'keep' | 'mask') =>
      api.ok('put_retention', { mission, turn, call_id, body: { decision } })
    await retain('keep')
    const kept = await mask(policy)
    expect(kept.decisions[0]).toMatchObject({ turn, call_id, decision: 'pinned' })
    expect(count(kept, 'pinned')).toBe(1)
    const plan = await api.ok('plan_mask', { mission, body: { request: session, policy } })
    expect(plan.decisions[0]).toMatchObject({ decision: 'pinned' })
    await retain('mask')
    expect(count(await mask(policy), 'pinned')).toBe(0)
  })

  test('the policy decides what the advice calls maskable', async () => {
    const report = { request: session, window_tokens: Math.floor(tokens / 0.75) }
    const advised = async (policy: object) => {
      await api.ok('put_mission', { mission, body: { policy } })
      return (await api.ok('report_context', { mission, body: report })).advice.rule
    }
    expect(await advised({})).toBe('maskable')
    expect(await advised({ keep: 100 })).not.toBe('maskable')
    expect(await advised({ min_bytes: 1_000_000 })).not.toBe('maskable')
    expect(await advised({ exclude_tools: ['read_file', 'grep', 'run_tests'] })).not.toBe(
      'maskable',
    )
    await api.ok('put_mission', { mission, body: { policy: {} } })
    const all = await mask({ trigger: { type: 'always' }, keep: 0 }, { return: 'edits' })
    for (const { turn, call_id } of all.decisions)
      await api.ok('put_retention', { mission, turn, call_id, body: { decision: 'keep' } })
    expect(await advised({})).not.toBe('maskable')
  })

  test.each([
    ['a trigger that is not reached', { trigger: { type: 'percent', value: 98 } }],
    ['more to clear at least than there is', { clear_at_least_tokens: 500_000 }],
    ['break-even that is not due', { trigger: { type: 'break_even' }, alpha: 100 }],
  ])('a mask that masked nothing is not advised again: %s', async (_, policy) => {
    await api.ok('put_mission', { mission, body: { policy } })
    const window_tokens = Math.floor(tokens / 0.9)
    const { advice, masked } = await mask(undefined, { window_tokens })
    expect(masked).toBe(0)
    expect(advice?.rule).toBe('critical')
  })

  test('the advice judges pictures and unanswered results as a mask does', async () => {
    const picture = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo'.repeat(400) },
    }
    const shots = Array.from({ length: 20 }, (_, n) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `s${n}`, name: 'shot', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `s${n}`, content: [picture] }],
      },
    ]).flat()
    const pictures = { messages: [{ role: 'user', content: 'Look.' }, ...shots] }
    const orphans = { messages: shots.filter(({ role }) => role === 'user') }
    for (const [request, rule] of [
      [pictures, 'maskable'],
      [orphans, 'critical'],
    ] as const) {
      const counted = await api.ok('count_tokens', { body: { request } })
      const window_tokens = Math.floor(counted.tokens / 0.9)
      const body = { request, window_tokens }
      expect((await api.ok('report_context', { mission, body })).advice.rule).toBe(rule)
      const plan = await api.ok('plan_mask', { mission, body })
      expect(plan.masked > 0).toBe(rule === 'maskable')
    }
  })

  test('the policy of the mission holds for each key that the call leaves out', async () => {
    const policy = { trigger: { type: 'always' }, keep: 5, exclude_tools: ['grep'] }
    await api.ok('put_mission', { mission, body: { policy } })
    const inherited = await mask()
    expect(count(inherited, 'inside_keep_window')).toBe(5)
    expect(count(inherited, 'excluded_tool')).toBeGreaterThan(0)
    const overridden = await mask({ exclude_tools: [] })
    expect(count(overridden, 'inside_keep_window')).toBe(5)
    expect(count(overridden, 'excluded_tool')).toBe(0)
  })
})

describe('the thresholds of a mission', () => {
  test('set where masking starts and ends, unless the policy says otherwise', async () => {
    const api = await memoryApi(memoryDeps())
    const thresholds = { amber: 50, summarize: 60, red: 80, critical: 90 }
    const report = { request: session, window_tokens: 1_000_000 }
    const { tokens } = await api.ok('report_context', { mission: 'other', body: report })
    const maskAt = async (name: string, percent: number, policy?: object): Promise<Masked> => {
      await api.ok('put_mission', { mission: name, body: { thresholds } })
      const window_tokens = Math.floor(((tokens ?? 0) * 100) / percent)
      const body = { request: session, window_tokens, ...(policy && { policy }) }
      return await api.ok('mask', { mission: name, body })
    }
    expect((await maskAt('below', 78)).masked).toBe(0)
    const masked = await maskAt('above', 82)
    expect(masked.masked).toBeGreaterThan(0)
    expect(masked.context.after).toBeLessThan(50)
    const bare = { trigger: { type: 'percent' } }
    expect((await maskAt('bare', 78, bare)).masked).toBe(0)
    const own = { trigger: { type: 'percent', value: 70 }, target_percent: 65 }
    expect((await maskAt('own', 78, own)).masked).toBeGreaterThan(0)
  })
})
