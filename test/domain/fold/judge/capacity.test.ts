import { describe, expect, it } from 'vitest'
import { count } from '../../../support/count-tokens.ts'
import { FINDINGS, FOLD, judge } from '../../../support/fold-case.ts'

/** A mission with many findings, each with one anchor of ordinary length; and the fold that indexes them. */
function missionOf(findings: number) {
  const numbers = Array.from({ length: findings }, (_, index) => 100 + index)
  const records = numbers.map(
    (number) =>
      `\n- **FINDING-${number}** (M): it pays in \`app/services/refunds/step_${number}.rb:${number}-${number + 9}\``,
  )
  const index = numbers.map(
    (number) =>
      `FINDING-${number} | M | app/services/refunds/step_${number}.rb:${number}-${number + 9}\n`,
  )
  return {
    findings_md: FINDINGS + records.join(''),
    fold_md: FOLD.replace('\n## 4.', () => `${index.join('')}\n## 4.`),
  }
}

const fitsOf = (findings: number): number | undefined =>
  judge(missionOf(findings)).warnings.find(({ code }) => code === 'fold_cannot_fit')?.fits

describe('fold_cannot_fit', () => {
  it('names how many findings fit once there are too many, about 75', () => {
    const fits = fitsOf(200)
    expect(fits).toBeGreaterThan(65)
    expect(fits).toBeLessThan(90)
    expect(fitsOf(5000)).toBe(fits)
  })

  it('warns of no mission that can be folded', () => {
    const fits = fitsOf(200) ?? 0
    expect(fitsOf(fits - 2)).toBeUndefined()
    expect(fitsOf(fits + 1)).toBe(fits)
    const fitting = missionOf(fits - 12)
    expect(count(fitting.fold_md)).toBeLessThanOrEqual(2000)
    expect(judge(fitting)).toMatchObject({ accepted: true, warnings: [] })
  })

  it('counts no more lines than 2,000 tokens can hold, however many findings there are', () => {
    let calls = 0
    judge({
      ...missionOf(5000),
      count: (text) => {
        calls += 1
        return count(text)
      },
    })
    expect(calls).toBeLessThan(200)
  })

  it('knows that a target or an id can be too long for any fold', () => {
    const long = judge({ findings_md: `${FINDINGS}\nFINDING-${'1'.repeat(300_000)}` })
    expect(long.warnings).toMatchObject([{ code: 'fold_cannot_fit', fits: 2 }])
  })
})
