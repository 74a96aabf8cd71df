import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionCost } from '../../../../src/cli/replay/comparison/cost-model.ts'
import type {
  CountedSession,
  Schedule,
  SegmentMask,
} from '../../../../src/cli/replay/comparison/cost-model.ts'
import { hindsight } from '../../../../src/cli/replay/comparison/hindsight.ts'

/** Sessions in which each call is sent a few more segments, and everything eligible before each. */
const sessions = fc
  .record({
    calls: fc.array(
      fc.array(fc.record({ tokens: fc.nat(400), masked: fc.option(fc.nat(60)) }), {
        minLength: 1,
        maxLength: 3,
      }),
      { minLength: 1, maxLength: 8 },
    ),
    // How many calls a result stays before it is eligible; with 0 it never is sent whole.
    delay: fc.nat(2),
  })
  .map(({ calls, delay }) => {
    const segments = calls.flat().map(({ tokens }, index) => ({ tokens, result: `/${index}` }))
    const ends = calls.map((_, call) => calls.slice(0, call + 1).flat().length)
    const session: CountedSession = { segments, calls: ends }
    const eager: Schedule = calls.map((_, call) => {
      const from = ends[call - delay - 1] ?? 0
      return (calls[call - delay] ?? []).flatMap(({ masked, tokens }, index): SegmentMask[] =>
        masked === null || masked >= tokens ? [] : [{ segment: from + index, tokens: masked }],
      )
    })
    return { session, eager }
  })
const prices = fc.record({
  input: fc.constant(1),
  cache_read: fc.double({ min: 0, max: 2, noNaN: true }),
  cache_write: fc.double({ min: 0, max: 2, noNaN: true }),
})

/** Masks all that `eager` has by then, at the calls that `chosen` names by its bits. */
function maskedAt(eager: Schedule, chosen: number): Schedule {
  let waiting: readonly SegmentMask[] = []
  return eager.map((masks, call) => {
    waiting = [...waiting, ...masks]
    if (((chosen >> call) & 1) === 0) return []
    const made = waiting
    waiting = []
    return made
  })
}

describe('hindsight', () => {
  it('costs what the best of all choices of moments costs', () => {
    fc.assert(
      fc.property(sessions, prices, ({ eager, session }, asked) => {
        const costs = Array.from(
          { length: 2 ** session.calls.length },
          (_, chosen) => sessionCost(session, maskedAt(eager, chosen), asked).cached,
        )
        const { cached } = sessionCost(session, hindsight(session, eager, asked), asked)
        expect(cached).toBeCloseTo(Math.min(...costs), 6)
      }),
      { numRuns: 300 },
    )
  })

  it('masks nothing where no mask is ever paid back', () => {
    const session: CountedSession = {
      segments: [{ tokens: 100, result: '/0' }, { tokens: 5_000 }, { tokens: 10 }],
      calls: [2, 3],
    }
    const eager: Schedule = [[], [{ segment: 0, tokens: 57 }]]
    const usual = { input: 1, cache_read: 0.1, cache_write: 1.25 }
    expect(hindsight(session, eager, usual)).toEqual([[], []])
  })

  it('takes seconds for a thousand calls', () => {
    const segments = Array.from({ length: 2_000 }, (_, index) =>
      index % 2 === 0 ? { tokens: 200 } : { tokens: 900, result: `/${index}` },
    )
    const calls = Array.from({ length: 1_000 }, (_, call) => 2 * (call + 1))
    const eager = calls.map((_, call) =>
      call < 3 ? [] : [{ segment: 2 * (call - 3) + 1, tokens: 57 }],
    )
    const began = performance.now()
    hindsight({ segments, calls }, eager, { input: 1, cache_read: 0.1, cache_write: 1.25 })
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
