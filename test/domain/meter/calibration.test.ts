import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Calibration, calibrate, learn } from '../../../src/domain/meter/calibration.ts'
import { codingSession } from '../../support/coding-session.ts'
import { hasCorpus, withoutCorpus } from '../../support/corpus.ts'

const taught = (...reports: readonly (readonly [counted: number, actual: number])[]) =>
  reports.reduce<Calibration | null>(
    (before, [counted, actual]) => learn(before, { counted, actual }),
    null,
  )

describe('calibration', () => {
  it('leaves a count as it is before the first report', () => {
    expect(calibrate(null, 1_000)).toEqual({ tokens: 1_000, low: 1_000, high: 1_500 })
  })

  it('counts a reported request as the provider did', () => {
    const { tokens, low, high } = calibrate(taught([9_000, 11_000]), 9_000)
    expect(tokens).toBe(11_000)
    expect(high - low).toBeLessThan(50)
  })

  it('learns the ratio from the growth, not from the fixed part that is never counted', () => {
    const calibration = taught([100, 5_120], [1_100, 6_320], [2_100, 7_520])
    expect(calibrate(calibration, 12_100).tokens).toBe(19_520)
  })

  it('keeps the learned ratio when masking removes tokens', () => {
    const calibration = taught([100, 5_120], [50_100, 65_120])
    expect(calibrate(calibration, 20_100).tokens).toBe(29_120)
    const after = learn(calibration, { counted: 20_100, actual: 29_120 })
    expect(calibrate(after, 30_100).tokens).toBe(41_120)
    expect(after.actual_growth / after.counted_growth).toBeCloseTo(1.2, 10)
  })

  it('moves its anchor but keeps its ratio after a step that no tokenizer makes', () => {
    const calibration = taught([1_000, 1_200], [11_000, 13_200])
    const tools = learn(calibration, { counted: 11_010, actual: 33_200 })
    expect(calibrate(tools, 21_010).tokens).toBe(45_200)
    const reversed = learn(calibration, { counted: 12_000, actual: 12_000 })
    expect(calibrate(reversed, 13_000).tokens).toBe(13_200)
  })

  it('does not change when the same report comes twice', () => {
    const once = taught([1_000, 1_200], [2_000, 2_500])
    expect(taught([1_000, 1_200], [2_000, 2_500], [2_000, 2_500])).toEqual(once)
  })

  it('follows a change of the tokenizer', () => {
    let calibration = taught([0, 500])
    let actual = 500
    for (let step = 1; step <= 40; step++) {
      actual += step <= 20 ? 1_200 : 1_560
      calibration = learn(calibration, { counted: step * 1_000, actual })
    }
    expect(calibrate(calibration, 50_000).tokens - actual).toBeCloseTo(15_600, -2)
  })

  it('never gives a negative count or a band that excludes the count', () => {
    const report = fc.tuple(fc.nat(400_000), fc.nat(600_000))
    fc.assert(
      fc.property(fc.array(report, { maxLength: 12 }), fc.nat(500_000), (reports, counted) => {
        const { tokens, low, high } = calibrate(taught(...reports), counted)
        expect(Number.isFinite(tokens)).toBe(true)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(low).toBeLessThanOrEqual(tokens)
        expect(high).toBeGreaterThanOrEqual(tokens)
      }),
    )
  })
})

describe.skipIf(!hasCorpus)(`against what a provider counted${withoutCorpus}`, () => {
  it('predicts a call before its report to 0.5 % at the median and 1.5 % at the 95th percentile', () => {
    const { messages, calls } = codingSession()
    const per = messages.map((blocks) => blocks.reduce((sum, block) => sum + block.tokens, 0))
    let calibration: Calibration | null = null
    let counted = 0
    let message = 0
    let inside = 0
    const raw: number[] = []
    const errors: number[] = []
    for (const call of calls) {
      for (; message < call.message; message++) counted += per[message] ?? 0
      const actual = call.prompt_tokens
      raw.push(1 - counted / actual)
      if (calibration !== null) {
        const { tokens, low, high } = calibrate(calibration, counted)
        errors.push(Math.abs(tokens / actual - 1))
        if (low <= actual && actual <= high) inside += 1
      }
      calibration = learn(calibration, { counted, actual })
    }
    const percent = (of: readonly number[], quantile: number): number =>
      100 * ([...of].sort((one, other) => one - other)[Math.floor((of.length - 1) * quantile)] ?? 0)
    const report = {
      calls: calls.length,
      uncalibrated_median: percent(raw, 0.5),
      median: percent(errors, 0.5),
      p95: percent(errors, 0.95),
      in_band: (100 * inside) / errors.length,
    }
    console.info('meter against the truth, percent:', report)
    expect(report.uncalibrated_median).toBeGreaterThan(10)
    expect(report.median).toBeLessThanOrEqual(0.5)
    expect(report.p95).toBeLessThanOrEqual(1.5)
    expect(report.in_band).toBeGreaterThan(80)
  })
})
