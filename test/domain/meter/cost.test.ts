import { describe, expect, it } from 'vitest'
import { addCost, type Call, costOf, NO_COST } from '../../../src/domain/meter/cost.ts'

const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }

/** A call in which nothing was masked. */
const plain = (turn: number, tokens: number, written: number) => {
  const prompt = { tokens, written }
  return { turn, raw: prompt, masked: prompt, bound: prompt }
}

function session(calls: readonly Call[]) {
  let totals = NO_COST
  const points = []
  for (const call of calls) {
    const step = addCost(totals, call, prices)
    totals = step.totals
    points.push(step.point)
  }
  return { totals, points, cost: costOf(totals, points) }
}

describe('the cost of a session', () => {
  it('prices what the last call sent as cache reads and what is new as cache writes', () => {
    const { cost } = session([plain(1, 1_000, 1_000), plain(2, 3_000, 2_000)])
    expect(cost).toMatchObject({ calls: 2, raw: 1_250 + 100 + 2_500, masked: 3_850, bound: 3_850 })
    expect(cost.series).toEqual([
      { turn: 1, raw: 1_250, masked: 1_250 },
      { turn: 2, raw: 2_600, masked: 2_600 },
    ])
  })

  it('charges a mask for the cache that it invalidates, and the bound nothing for it', () => {
    // The second call adds 100, masks 1,500 of 2,000 away, and 450 cached tokens go stale by it.
    const { cost } = session([
      plain(1, 2_000, 2_000),
      {
        turn: 2,
        raw: { tokens: 2_100, written: 100 },
        masked: { tokens: 600, written: 550 },
        bound: { tokens: 600, written: 100 },
      },
    ])
    expect(cost.raw).toBe(2_500 + 200 + 125)
    expect(cost.masked).toBe(2_500 + Math.round(0.1 * 50 + 1.25 * 550))
    expect(cost.bound).toBe(2_500 + 0.1 * 500 + 1.25 * 100)
  })

  it('distinguishes quadratic growth from linear', () => {
    const calls = Array.from({ length: 100 }, (_, index) => ({
      ...plain(index + 1, 5_000 + 1_000 * index, 1_000),
      masked: { tokens: Math.min(5_000 + 1_000 * index, 12_000), written: 1_000 },
    }))
    expect(session(calls).cost.growth).toEqual({ raw: 'quadratic', masked: 'linear' })
  })

  it('keeps a state of the same size however long the session', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, index) => plain(index + 1, 1_000 * (index + 1), 1_000))
    const size = (count: number): number => JSON.stringify(session(calls(count)).totals).length
    expect(size(5_000)).toBeLessThan(size(20) + 60)
  })
})
