import { describe, expect, it } from 'vitest'
import { learn } from '../../../src/domain/meter/calibration.ts'
import { readMeter, zoneOf } from '../../../src/domain/meter/meter.ts'

const scale = { window_tokens: 200_000 }
const usage = {
  prompt_tokens: 130_000,
  cache_read_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 500,
}

function read(...args: Parameters<typeof readMeter>) {
  const reading = readMeter(...args)
  if (!reading.ok) throw new Error(reading.error.code)
  return reading.value
}

describe('the meter', () => {
  it('shows the percentage that the host reports', () => {
    expect(read({ used_percentage: 72.345 }, scale)).toEqual({
      percent: 72.35,
      tokens: null,
      window_tokens: 200_000,
      method: 'host',
      band: [72.35, 72.35],
      zone: 'red',
    })
  })

  it('divides the prompt tokens of the last call by the window', () => {
    expect(read({ usage }, scale)).toEqual({
      percent: 65,
      tokens: 130_000,
      window_tokens: 200_000,
      method: 'usage',
      band: [65, 65],
      zone: 'amber',
    })
  })

  it('gives an uncalibrated count a band of half the count above it', () => {
    expect(read({ counted: 100_000 }, scale)).toEqual({
      percent: 50,
      tokens: 100_000,
      window_tokens: 200_000,
      method: 'counted',
      band: [50, 75],
      zone: 'green',
    })
  })

  it('calibrates a count with what the provider reported before', () => {
    let calibration = learn(null, { counted: 10_000, actual: 13_000 })
    calibration = learn(calibration, { counted: 60_000, actual: 73_000 })
    const reading = read({ counted: 110_000 }, { ...scale, calibration })
    expect(reading).toMatchObject({ method: 'counted', tokens: 133_000, percent: 66.5 })
    expect(reading.band[0]).toBeLessThan(66.5)
    expect(reading.band[1]).toBeGreaterThan(66.5)
  })

  it('estimates from characters as the seed does', () => {
    expect(read({ characters: 350_000 }, scale)).toEqual({
      percent: 50,
      tokens: 100_000,
      window_tokens: 200_000,
      method: 'estimated',
      band: [43.75, 58.33],
      zone: 'green',
    })
  })

  it('prefers host over usage over counted over estimated', () => {
    const all = { used_percentage: 10, usage, counted: 50_000, characters: 7_000 }
    expect(read(all, scale)).toMatchObject({ method: 'host', percent: 10, tokens: 130_000 })
    expect(read({ ...all, used_percentage: undefined }, scale).method).toBe('usage')
    expect(read({ counted: 50_000, characters: 7_000 }, scale).method).toBe('counted')
    expect(read({ characters: 7_000 }, scale).method).toBe('estimated')
  })

  it('shows more than 100 percent', () => {
    expect(read({ used_percentage: 130 }, scale)).toMatchObject({ percent: 130, zone: 'critical' })
    expect(read({ counted: 300_000 }, scale)).toMatchObject({ percent: 150, zone: 'critical' })
  })

  it('needs a window for tokens, and none for a percentage', () => {
    expect(read({ used_percentage: 40 }, { window_tokens: null }).window_tokens).toBeNull()
    for (const report of [{ usage }, { counted: 1 }, { characters: 1 }])
      expect(readMeter(report, { window_tokens: null })).toMatchObject({
        ok: false,
        error: { code: 'window_unknown' },
      })
  })

  it('refuses a report that says nothing', () => {
    expect(readMeter({}, scale)).toMatchObject({ ok: false, error: { code: 'invalid_input' } })
  })

  it.each([
    [59.99, 'green'],
    [60, 'amber'],
    [69.99, 'amber'],
    [70, 'red'],
    [84.99, 'red'],
    [85, 'critical'],
    [150, 'critical'],
  ])('calls %d percent %s', (percent, zone) => {
    expect(zoneOf(percent)).toBe(zone)
  })

  it('uses the thresholds of the mission', () => {
    const thresholds = { amber: 10, summarize: 20, red: 30, critical: 40 }
    expect([9, 10, 30, 40].map((percent) => zoneOf(percent, thresholds))).toEqual([
      'green',
      'amber',
      'red',
      'critical',
    ])
    expect(read({ used_percentage: 35 }, { ...scale, thresholds }).zone).toBe('red')
  })

  it('chooses the zone from the rounded percentage that it shows', () => {
    // 119,999.9 of 200,000 would be shown as 60: then it is amber too.
    expect(read({ used_percentage: 59.998 }, scale)).toMatchObject({ percent: 60, zone: 'amber' })
  })
})
