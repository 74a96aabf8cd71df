import { describe, expect, it } from 'vitest'
import { breakEven } from '../../../../src/domain/masking/plan/break-even.ts'

/** A budget that never binds. */
const free = { max_loss: 0.1, spent: { raw_after: 1, masked_after: 0 } }
const prices = { input: 1, cache_read: 0.1, cache_write: 1.25 }

/** Weighs the same stake turn after turn; answers at which turn it is due. */
function turnsUntilDue(maskable_tokens: number, suffix_tokens: number, alpha = 0.2): number {
  let regret = 0
  for (let turn = 1; turn <= 10_000; turn++) {
    const weighed = breakEven({ regret, maskable_tokens, suffix_tokens, prices, alpha, ...free })
    if (weighed.due) return turn
    regret = weighed.regret
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
    const uncached = { input: 1, cache_read: 1, cache_write: 1 }
    const stake = { regret: 0, maskable_tokens: 1, suffix_tokens: 1_000_000, alpha: 0.2, ...free }
    expect(breakEven({ ...stake, prices: uncached }).due).toBe(true)
  })

  it('keeps its regret over turns with nothing maskable', () => {
    const stake = { regret: 40, maskable_tokens: 0, suffix_tokens: 0, alpha: 0.2, prices, ...free }
    expect(breakEven(stake)).toMatchObject({ regret: 40, due: false })
  })
})
