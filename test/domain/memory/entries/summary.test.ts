import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eligibleRanges, isEligible } from '../../../../src/domain/context/eligible.ts'
import type { TurnRange } from '../../../../src/domain/context/eligible.ts'
import { refusedSummary, withSummary } from '../../../../src/domain/memory/entries/summary.ts'

const session = { turns: 40, summarised: [{ from: 5, to: 9 }] }
const judged = (from: number, to: number, tokens = 120) =>
  refusedSummary({ turns: { from, to }, tokens }, session)

describe('refusedSummary', () => {
  it('accepts 3 to 5 old turns in 100 to 150 tokens', () => {
    for (const to of [12, 13, 14]) expect(judged(10, to)).toBeNull()
    for (const tokens of [100, 150]) expect(judged(26, 30, tokens)).toBeNull()
  })

  it('refuses ranges of another length', () => {
    for (const [from, to] of [
      [10, 11],
      [10, 15],
      [10, 16],
      [12, 10],
      [0, 3],
    ] as const)
      expect(judged(from, to)).toMatchObject({ code: 'range_not_eligible' })
  })

  it('refuses turns that were summarized before, wholly or partly', () => {
    for (const [from, to] of [
      [5, 9],
      [6, 8],
      [3, 5],
      [9, 12],
      [4, 8],
    ] as const)
      expect(judged(from, to)).toMatchObject({
        code: 'resummarization_refused',
        detail: `Turns ${from}-${to} overlap turns 5-9, summarized before.`,
      })
  })

  it('refuses any of the last ten turns, and every turn before the first context report', () => {
    expect(judged(28, 31)).toMatchObject({ code: 'range_not_eligible' })
    expect(judged(36, 40)).toMatchObject({ code: 'range_not_eligible' })
    const unreported = { turns: 0, summarised: [] }
    expect(refusedSummary({ turns: { from: 1, to: 4 }, tokens: 120 }, unreported)).toMatchObject({
      code: 'range_not_eligible',
      detail: 'No context report has said yet how many turns there are.',
    })
  })

  it('refuses a text of another length, and names the eligible ranges', () => {
    for (const tokens of [60, 99, 151, 220])
      expect(judged(10, 14, tokens)).toMatchObject({
        code: 'summary_out_of_range',
        members: { tokens },
      })
    expect(judged(5, 9)?.members).toMatchObject({
      eligible: eligibleRanges(40, session.summarised),
    })
  })
})

describe('withSummary', () => {
  it('keeps one range for a session that is summarized in order', () => {
    let summarised: readonly TurnRange[] = []
    for (let from = 1; from < 500; from += 5)
      summarised = withSummary(summarised, { from, to: from + 4 })
    expect(summarised).toEqual([{ from: 1, to: 500 }])
  })

  it('gives merged ranges that judge every range as the single ones do', () => {
    const ranges = fc.array(
      fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 3, max: 5 })),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(ranges, (tries) => {
        const single: TurnRange[] = []
        let merged: readonly TurnRange[] = []
        for (const [from, length] of tries) {
          const range = { from, to: from + length - 1 }
          const eligible = isEligible(range, 80, single)
          expect(isEligible(range, 80, merged)).toBe(eligible)
          if (eligible !== 'eligible') continue
          single.push(range)
          merged = withSummary(merged, range)
        }
        for (let from = 1; from <= 70; from++)
          for (const length of [3, 4, 5]) {
            const range = { from, to: from + length - 1 }
            expect(isEligible(range, 80, merged)).toBe(isEligible(range, 80, single))
          }
      }),
    )
  })

  it('keeps at most 200 ranges however sparsely a session is summarized, and forgets no summary', () => {
    let summarised: readonly TurnRange[] = []
    for (let from = 1; from < 20_000; from += 20)
      summarised = withSummary(summarised, { from, to: from + 2 })
    expect(summarised.length).toBeLessThanOrEqual(200)
    for (let from = 1; from < 20_000; from += 20)
      expect(isEligible({ from, to: from + 2 }, 30_000, summarised)).toBe('summarised')
  })
})
