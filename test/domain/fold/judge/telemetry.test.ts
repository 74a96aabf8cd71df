import { describe, expect, it } from 'vitest'
import { foldRatio } from '../../../../src/domain/fold/judge/ratio.ts'
import { ratioPattern } from '../../../../src/domain/fold/judge/telemetry.ts'
import { judge } from '../../../support/fold-case.ts'

describe('fold_ratio', () => {
  it('is the fold by its trajectory, where both are known', () => {
    expect(foldRatio(500, 10_000)).toBe(0.05)
    expect([foldRatio(null, 10), foldRatio(10, undefined), foldRatio(10, 0)]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('warns above its target of 0.1, and above 0.2 of what that means', () => {
    const fold = judge().tokens.fold ?? 0
    const codes = (trajectory_tokens: number) =>
      judge({ trajectory_tokens }).warnings.map(({ code }) => code)
    expect(codes(fold * 10)).toEqual([])
    expect(codes(fold * 10 - 1)).toEqual(['fold_ratio_over_target'])
    expect(codes(fold * 5)).toEqual(['fold_ratio_over_target'])
    expect(codes(fold * 5 - 1)).toEqual(['fold_ratio_over_alarm'])
    expect(judge({ trajectory_tokens: 1 }).accepted).toBe(true)
  })

  it('makes a pattern of three above 0.2 in the last five', () => {
    expect(ratioPattern([0.21, 0.1, 0.3, 0.1, 0.25])).toMatchObject({ pattern: true })
    expect(ratioPattern([0.21, 0.1, 0.3, 0.1, 0.25]).advice).toContain('revisit Locate')
    expect(ratioPattern([0.2, 0.2, 0.2, 0.2, 0.2])).toEqual({ pattern: false, advice: null })
    expect(ratioPattern([0.3, 0.1, 0.3, 0.1, 0.1, 0.3]).pattern).toBe(false)
    expect(ratioPattern([null, 0.3, null, 0.3, 0.3]).pattern).toBe(true)
  })
})
