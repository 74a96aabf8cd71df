import { describe, expect, it } from 'vitest'
import { loadTokens } from '../../../../src/cli/count-tokens.ts'
import { sessionCost, sum } from '../../../../src/cli/replay/comparison/cost-model.ts'
import type { CountedSession, Schedule } from '../../../../src/cli/replay/comparison/cost-model.ts'
import { schedulesOf } from '../../../../src/cli/replay/comparison/schedules.ts'
import { segmentsOf } from '../../../../src/cli/replay/comparison/segments.ts'
import { readSessions, sessionOf } from '../../../../src/cli/replay/session.ts'
import { NO_CALLS_MADE } from '../../../../src/domain/context/calls.ts'
import { addSession } from '../../../../src/domain/masking/session-cost.ts'
import { NO_COST } from '../../../../src/domain/meter/cost.ts'
import { corpusFile, hasCorpus, withoutCorpus } from '../../../support/corpus.ts'

const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }

/** Ten calls; before each one a 100-token turn and a 1,000-token result came. */
const ten: CountedSession = {
  segments: Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? { tokens: 100 } : { tokens: 1_000, result: `/${index}` },
  ),
  calls: Array.from({ length: 10 }, (_, index) => 2 * (index + 1)),
}
/** All but the last three results are 57 tokens before every call. */
const eager: Schedule = ten.calls.map((_, call) =>
  call < 3 ? [] : [{ segment: 2 * (call - 3) + 1, tokens: 57 }],
)

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length

describe('segmentsOf', () => {
  it('counts what each call sent, with a tool output as one segment', () => {
    const turn = (id: string, output: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output }] },
    ]
    const messages = [
      { role: 'user', content: 'please look' },
      ...turn('a', 'one two three'),
      ...turn('b', 'four'),
      { role: 'assistant', content: 'done' },
    ]
    const session = sessionOf({ system: 'be kind', messages }, 's', new Map())
    const { segments, calls } = segmentsOf(session, words)
    expect(calls).toHaveLength(3)
    const sent = (call: number) =>
      segments.slice(0, calls[call]).reduce((total, { tokens }) => total + tokens, 0)
    // Instructions and task; then a call (its name and input) and its output; then another.
    expect([sent(0), sent(1), sent(2)]).toEqual([4, 9, 12])
    expect(segments.filter(({ result }) => result !== undefined)).toMatchObject([
      { tokens: 3 },
      { tokens: 1 },
    ])
  })
})

describe('the cost model', () => {
  it('prices the unchanged prefix as cache reads and the rest as writes', () => {
    const cost = sessionCost(ten, [], prices)
    const sent = Array.from({ length: 10 }, (_, index) => 1_100 * (index + 1))
    expect(cost.tokens_sent).toBe(sum(sent, 0, 10))
    expect(cost.uncached).toBe(sum(sent, 0, 10))
    expect(cost.cached).toBeCloseTo(1.25 * 11_000 + 0.1 * sum(sent, 0, 9), 6)
    expect(cost.rewrites).toBe(0)
  })

  it('prices everything from the first masked result on as writes', () => {
    const once: Schedule = [[], [], [], [], [{ segment: 1, tokens: 57 }]]
    const { series } = sessionCost(ten, once, prices)
    expect(series[4]).toEqual({
      tokens: 5_500 - 943,
      written: 57 + 4 * 1_100,
      cost: 0.1 * 100 + 1.25 * (57 + 4 * 1_100),
    })
    expect(series[5]?.written).toBe(1_100)
  })

  it('masks for free where the bound is asked for', () => {
    const free = sessionCost(ten, eager, prices, { free: true })
    expect(free.rewrites).toBe(0)
    expect(free.masked).toBe(7)
    expect(free.tokens_sent).toBe(sessionCost(ten, eager, prices).tokens_sent)
    expect(free.cached).toBeLessThan(sessionCost(ten, eager, prices).cached)
  })
})

describe.skipIf(!hasCorpus)(`on a real session${withoutCorpus}`, () => {
  it('the mission counts the same cost call by call', async () => {
    const [real] = await readSessions(corpusFile('anthropic-coding-session.json'))
    if (real === undefined) throw new Error('the file has a session')
    const count = await loadTokens()
    const session = segmentsOf(real, count)
    const schedules = await schedulesOf(
      real,
      session,
      ['break_even'],
      { policy: { prices } },
      count,
    )
    const rawCost = sessionCost(session, [], prices)
    const masked = sessionCost(session, schedules.by_policy.get('break_even') ?? [], prices)
    const bound = sessionCost(session, schedules.eager, prices, { free: true })
    expect(masked.masked).toBeGreaterThan(100)
    let state = { calls: NO_CALLS_MADE, totals: NO_COST }
    for (const [index, call] of masked.series.entries()) {
      const fresh = rawCost.series[index]?.written ?? 0
      const step = {
        fingerprint: String(index),
        turn: index + 1,
        raw: rawCost.series[index]?.tokens ?? 0,
        masked: call.tokens,
        bound: bound.series[index]?.tokens ?? 0,
        unchanged: call.written === fresh ? null : call.tokens - call.written,
      }
      state = addSession(state, step, 0, prices, '2026-11-30T00:00:00.000Z')
    }
    const { totals } = state
    expect(totals.raw).toBeCloseTo(rawCost.cached, 3)
    expect(totals.masked).toBeCloseTo(masked.cached, 3)
    expect(totals.bound).toBeCloseTo(bound.cached, 3)
  })
})
