import { NO_CALLS_MADE } from '../../../src/domain/context/calls.ts'
import { NO_COST } from '../../../src/domain/meter/cost.ts'
import { describe, expect, it } from 'vitest'
import { addSession } from '../../../src/domain/masking/session-cost.ts'
import { loadTokens } from '../../../src/cli/count-tokens.ts'
import { type Policy, type Session, sessionCost, sum } from '../../../src/cli/replay/cost-model.ts'
import {
  always,
  anthropic,
  breakEven,
  lastTen,
  percent,
  raw,
} from '../../../src/cli/replay/policies.ts'
import { segmentsOf } from '../../../src/cli/replay/segments.ts'
import { readSessions } from '../../../src/cli/replay/session.ts'
import { corpusFile, hasCorpus, withoutCorpus } from '../../support/corpus.ts'

const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }
const result = (tokens: number) => ({
  tokens,
  result: { bytes: tokens * 4, placeholder_tokens: 57 },
})

/** Ten calls; before each one a 100-token turn and a 1,000-token result came. */
const ten: Session = {
  segments: Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? { tokens: 100 } : result(1_000),
  ),
  calls: Array.from({ length: 10 }, (_, index) => 2 * (index + 1)),
}

describe('the cost model', () => {
  it('reads the unchanged prefix and writes the rest', () => {
    const cost = sessionCost(ten, raw(), prices)
    const sent = Array.from({ length: 10 }, (_, index) => 1_100 * (index + 1))
    expect(cost.tokens_sent).toBe(sum(sent, 0, 10))
    expect(cost.uncached).toBe(sum(sent, 0, 10))
    expect(cost.cached).toBeCloseTo(1.25 * 11_000 + 0.1 * sum(sent, 0, 9), 6)
    expect(cost.rewrites).toBe(0)
  })

  it('writes anew from the first masked result on', () => {
    const once: Policy = { name: 'once', choose: ({ sent }) => (sent === 10 ? [1] : []) }
    const { series } = sessionCost(ten, once, prices)
    expect(series[4]).toEqual({
      tokens: 5_500 - 943,
      written: 57 + 4 * 1_100,
      cost: 0.1 * 100 + 1.25 * (57 + 4 * 1_100),
    })
    expect(series[5]?.written).toBe(1_100)
  })

  it('masks for free where the bound is asked for', () => {
    const free = sessionCost(ten, always(3), prices, { free: true })
    expect(free.rewrites).toBe(0)
    expect(free.masked).toBe(7)
    expect(free.tokens_sent).toBe(sessionCost(ten, always(3), prices).tokens_sent)
    expect(free.cached).toBeLessThan(sessionCost(ten, always(3), prices).cached)
  })
})

describe('the policies', () => {
  it('keep the last results and leave the short ones', () => {
    const short: Session = {
      ...ten,
      segments: ten.segments.map((segment, index) => (index === 1 ? result(57) : segment)),
    }
    expect(sessionCost(short, always(3), prices).masked).toBe(6)
    expect(sessionCost(short, anthropic(3, 5_000), prices).masked).toBe(7)
    expect(sessionCost(ten, lastTen(), prices).masked).toBe(0)
    expect(sessionCost(ten, lastTen(4), prices).masked).toBe(6)
    expect(sessionCost(ten, anthropic(), prices).masked).toBe(0)
  })

  it('percent masks from the trigger down to the target, oldest first', () => {
    const terms = {
      keep: 3,
      window_tokens: 10_000,
      trigger_percent: 70,
      target_percent: 60,
      min_bytes: 2_048,
      ratio: 1,
    }
    // The seventh call would send 7,700: two masked results (943 less each) bring it below 6,000.
    const { series } = sessionCost(ten, percent(terms), prices)
    expect(series.slice(5, 8).map((call) => call.tokens)).toEqual([6_600, 5_814, 6_914])
    const large = { ...terms, min_bytes: 4_001 }
    expect(sessionCost(ten, percent(large), prices).masked).toBe(0)
  })
})

describe.skipIf(!hasCorpus)(`on a real session${withoutCorpus}`, () => {
  it('the mission counts the same cost call by call', async () => {
    const [real] = await readSessions(corpusFile('anthropic-coding-session.json'))
    const session = segmentsOf(real!, await loadTokens())
    const rawCost = sessionCost(session, raw(), prices)
    const masked = sessionCost(session, breakEven(3, prices), prices)
    const bound = sessionCost(session, always(3), prices, { free: true })
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
