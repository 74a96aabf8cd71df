import { describe, expect, it } from 'vitest'
import { reportTable, sumUp } from '../../../src/cli/replay/report.ts'

const session = {
  name: 's',
  mission: 'r-1',
  turns: 1234,
  results: 10,
  masked: 4,
  raw: { tokens: 1_234_567, uncached: 1_234_567, cached: 200_000 },
  sent: { tokens: 1_000_000, uncached: 1_000_000, cached: 250_000.4 },
  memex_bytes: 999,
  restored_equal: true,
}

const table = (sessions: readonly (typeof session)[], meter: object | null = null) =>
  reportTable({
    file: 'f.json',
    url: 'http://x',
    trigger: 'always',
    sessions,
    meter: meter as never,
    total: sumUp(sessions),
  })

describe('reportTable', () => {
  it('shows raw beside masked, with the change', () => {
    expect(table([session])).toMatch(/^ {2}tokens sent +1,234,567 +1,000,000 +-19\.0 %$/m)
    expect(table([session])).toMatch(/^ {2}cost with prompt caching +200,000 +250,000 +\+25\.0 %$/m)
    expect(table([session])).toMatch(/^ {2}turns +1,234$/m)
    expect(table([session])).toMatch(/^ {2}outputs masked +4 of 10$/m)
  })

  it('ends with the verdict, which is no when one session is not restored equal', () => {
    expect(table([session]).endsWith('\nrestored equal: yes\n')).toBe(true)
    const broken = { ...session, mission: 'r-2', restored_equal: false }
    expect(table([session, broken]).endsWith('\nrestored equal: no\n')).toBe(true)
    expect(table([session, broken])).toContain('2 missions, r-1 to r-2')
    expect(table([session, broken])).toMatch(/^ {2}outputs masked +8 of 20$/m)
  })

  it("shows the errors of the meter where the provider's counts are known", () => {
    expect(table([session])).not.toContain('meter')
    const meter = { calls: 3, median_percent: 0.123, p95_percent: 1.456 }
    expect(table([session], meter)).toMatch(/^ {2}meter off, median +0\.12 %$/m)
    expect(table([session], meter)).toMatch(/^ {2}meter off, 95th percentile +1\.46 %$/m)
  })
})
