import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eligibleRanges, isEligible } from '../../../src/domain/context/eligible.ts'

describe('the ranges that may be summarized', () => {
  it('leave the last 10 turns alone', () => {
    expect(eligibleRanges(12, [])).toEqual([])
    expect(eligibleRanges(13, [])).toEqual([{ from: 1, to: 3 }])
    expect(eligibleRanges(15, [])).toEqual([{ from: 1, to: 5 }])
  })

  it('are as even as 3 to 5 turns allow', () => {
    expect(eligibleRanges(16, [])).toEqual([
      { from: 1, to: 3 },
      { from: 4, to: 6 },
    ])
  })

  it('go around what was summarized', () => {
    expect(
      eligibleRanges(30, [
        { from: 6, to: 10 },
        { from: 1, to: 3 },
      ]),
    ).toEqual([
      { from: 11, to: 15 },
      { from: 16, to: 20 },
    ])
    expect(eligibleRanges(15, [{ from: 1, to: 5 }])).toEqual([])
  })

  it('are eligible by the rule that a summary is held to', () => {
    const covered = fc.record({
      from: fc.integer({ min: 1, max: 60 }),
      length: fc.integer({ min: 1, max: 6 }),
    })
    fc.assert(
      fc.property(fc.nat(80), fc.array(covered, { maxLength: 8 }), (turns, gaps) => {
        const summarised = gaps.map(({ from, length }) => ({ from, to: from + length - 1 }))
        const ranges = eligibleRanges(turns, summarised)
        for (const range of ranges) expect(isEligible(range, turns, summarised)).toBe('eligible')
        for (const [index, range] of ranges.entries())
          expect(range.from).toBeGreaterThan(ranges[index - 1]?.to ?? 0)
        // If there is none, no single range would have been eligible either.
        if (ranges.length === 0)
          for (let from = 1; from <= turns; from++)
            expect(isEligible({ from, to: from + 2 }, turns, summarised)).not.toBe('eligible')
      }),
    )
  })

  it('are refused by name otherwise', () => {
    expect(isEligible({ from: 1, to: 2 }, 50, [])).toBe('wrong_length')
    expect(isEligible({ from: 1, to: 6 }, 50, [])).toBe('wrong_length')
    expect(isEligible({ from: 0, to: 3 }, 50, [])).toBe('wrong_length')
    expect(isEligible({ from: 38, to: 41 }, 50, [])).toBe('too_recent')
    expect(isEligible({ from: 38, to: 40 }, 50, [])).toBe('eligible')
    expect(isEligible({ from: 3, to: 6 }, 50, [{ from: 6, to: 9 }])).toBe('summarised')
  })
})
