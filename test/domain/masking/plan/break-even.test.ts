import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_CALLS_MADE, spentAfter, withCall } from '../../../../src/domain/context/calls.ts'
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

  it('masks only what the budget allows, to the last token of it', () => {
    const stake = { regret: 1e9, maskable_tokens: 1, suffix_tokens: 1, alpha: 0.2, prices }
    const due = (max_loss: number, raw_after: number, masked_after: number): boolean =>
      breakEven({ ...stake, max_loss, spent: { raw_after, masked_after } }).due
    expect(due(0.25, 1_000, 1_250)).toBe(true)
    expect(due(0.25, 1_000, 1_251)).toBe(false)
    expect(due(0, 1_000, 1_001)).toBe(false)
    expect(due(0, 1_000, 1_000)).toBe(true)
  })

  it('goes on adding up its regret while the budget does not allow a mask', () => {
    const poor = { max_loss: 0, spent: { raw_after: 1, masked_after: 2 } }
    const stake = { regret: 500, maskable_tokens: 1_000, suffix_tokens: 10, alpha: 0.2, prices }
    expect(breakEven({ ...stake, ...poor })).toMatchObject({ regret: 600, due: false })
  })
})

/** What comes before each call: a turn's text, and a result with what its placeholder would cost. */
const sessions = fc.array(
  fc.record({
    text: fc.nat(500),
    result: fc.nat(5_000),
    placeholder: fc.integer({ min: 1, max: 90 }),
  }),
  { minLength: 1, maxLength: 60 },
)
const anyPrices = fc.record({
  input: fc.constant(1),
  cache_read: fc.double({ min: 0, max: 2, noNaN: true }),
  cache_write: fc.double({ min: 0, max: 4, noNaN: true }),
})
const terms = fc.record({
  keep: fc.integer({ min: 1, max: 4 }),
  alpha: fc.double({ min: 0.001, max: 2, noNaN: true }),
  max_loss: fc.double({ min: 0, max: 1, noNaN: true }),
})

describe('a conversation under break-even', () => {
  it('never costs more than its budget over raw, at no moment', () => {
    let masks = 0
    fc.assert(
      fc.property(sessions, anyPrices, terms, (session, asked, { alpha, keep, max_loss }) => {
        let calls = NO_CALLS_MADE
        const sent: number[] = []
        const masked = new Set<number>()
        const total = (from: number): number => sent.slice(from).reduce((sum, one) => sum + one, 0)
        for (const [turn, { result, text }] of session.entries()) {
          sent.push(text, result)
          const eligible = session
            .slice(0, Math.max(0, turn + 1 - keep))
            .map((one, at) => ({ at, saved: one.result - one.placeholder }))
            .filter(({ at, saved }) => saved > 0 && !masked.has(at))
          const maskable_tokens = eligible.reduce((sum, { saved }) => sum + saved, 0)
          const raw = session
            .slice(0, turn + 1)
            .reduce((sum, one) => sum + one.text + one.result, 0)
          const first = 2 * (eligible[0]?.at ?? turn) + 1
          const unchanged = total(0) - total(first)
          const size = { raw, masked: total(0) - maskable_tokens, unchanged }
          const spent = spentAfter(calls.after, size, asked)
          const { due, regret } = breakEven({
            regret: calls.after.regret,
            maskable_tokens,
            suffix_tokens: calls.after.last.masked - unchanged - maskable_tokens,
            prices: asked,
            alpha,
            max_loss,
            spent: { raw_after: spent.raw, masked_after: spent.masked },
          })
          if (due) {
            masks += 1
            for (const { at, saved } of eligible) {
              masked.add(at)
              sent[2 * at + 1] = (sent[2 * at + 1] ?? 0) - saved
            }
          }
          const made = due ? size : { raw, masked: total(0), unchanged: null }
          calls = withCall(calls, String(turn), made, due ? 0 : regret, asked)
          const { after } = calls
          expect(after.spent.masked).toBeLessThanOrEqual((1 + max_loss) * after.spent.raw + 1e-6)
        }
      }),
      { numRuns: 300 },
    )
    expect(masks).toBeGreaterThan(300)
  })
})
