import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Regret, weigh } from '../../../src/domain/meter/break-even.ts'

const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }
const terms = { alpha: 0.2, prices }

/** Weighs the same stake turn after turn; answers at which turn it says to mask. */
function turnsUntilDue(maskable_tokens: number, suffix_tokens: number, alpha = 0.2): number {
  let regret: Regret | null = null
  for (let turn = 1; turn <= 10_000; turn++) {
    const stake = { fingerprint: `turn ${turn}`, maskable_tokens, suffix_tokens }
    regret = weigh(regret, stake, { alpha, prices })
    if (regret.due) return turn
  }
  return Number.POSITIVE_INFINITY
}

describe('break even', () => {
  it('masks when the reads paid reach alpha times the rewrite', () => {
    // 1,000 maskable tokens cost 100 a turn; 10,000 rewritten cost 11,500, a fifth is 2,300.
    expect(turnsUntilDue(1_000, 10_000)).toBe(23)
    expect(turnsUntilDue(1_000, 10_000, 0.1)).toBe(12)
  })

  it('masks near the tail at once and deep in the past late', () => {
    expect(turnsUntilDue(1_000, 400)).toBe(1)
    expect(turnsUntilDue(1_000, 100_000)).toBe(230)
  })

  it('never masks nothing', () => {
    expect(turnsUntilDue(0, 0)).toBe(Number.POSITIVE_INFINITY)
  })

  it('masks at once where a rewrite costs no more than a read', () => {
    const uncached = { alpha: 0.2, prices: { input: 1, cache_read: 1, cache_write: 1 } }
    const stake = { fingerprint: 'a', maskable_tokens: 1, suffix_tokens: 1_000_000 }
    expect(weigh(null, stake, uncached).due).toBe(true)
  })

  it('begins anew after a mask', () => {
    const stake = { maskable_tokens: 1_000, suffix_tokens: 400 }
    const first = weigh(null, { ...stake, fingerprint: 'a' }, terms)
    expect(first.due).toBe(true)
    const second = weigh(
      first,
      { fingerprint: 'b', maskable_tokens: 10, suffix_tokens: 400 },
      terms,
    )
    expect(second).toEqual({ regret: 1, fingerprint: 'b', due: false })
  })

  it('keeps its regret over turns with nothing maskable', () => {
    const first = weigh(null, { fingerprint: 'a', maskable_tokens: 100, suffix_tokens: 900 }, terms)
    const second = weigh(first, { fingerprint: 'b', maskable_tokens: 0, suffix_tokens: 0 }, terms)
    expect(second).toEqual({ regret: first.regret, fingerprint: 'b', due: false })
  })

  it('answers a retried call as it did, and moves nothing', () => {
    const amounts = fc.tuple(fc.nat(50_000), fc.nat(200_000), fc.integer({ min: 1, max: 4 }))
    fc.assert(
      fc.property(fc.array(amounts, { minLength: 1, maxLength: 30 }), (turns) => {
        let once: Regret | null = null
        let retried: Regret | null = null
        for (const [turn, [maskable_tokens, suffix_tokens, times]] of turns.entries()) {
          const stake = { fingerprint: `turn ${turn}`, maskable_tokens, suffix_tokens }
          once = weigh(once, stake, terms)
          for (let call = 0; call < times; call++) retried = weigh(retried, stake, terms)
          expect(retried).toEqual(once)
        }
      }),
    )
  })
})
