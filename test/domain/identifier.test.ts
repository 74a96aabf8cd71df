import { describe, expect, it } from 'vitest'
import { givenTime } from '../../src/domain/identifier.ts'

describe('a time that a caller gives', () => {
  it.each([
    ['2026-11-30T10:00:00.000Z', '2026-11-30T10:00:00.000Z'],
    ['2026-11-30T10:00:00Z', '2026-11-30T10:00:00.000Z'],
    ['2026-11-30T10:00:00.123456Z', '2026-11-30T10:00:00.123Z'],
    ['2026-11-30T12:00:00+02:00', '2026-11-30T10:00:00.000Z'],
  ])('%s is kept as %s', (given, kept) => {
    expect(givenTime.parse(given)).toBe(kept)
  })

  it.each(['', 'now', '2026-11-30', '2026-11-30T10:00:00', '9999-12-31T23:59:59-01:00'])(
    'is not %j',
    (given) => {
      expect(givenTime.safeParse(given).success).toBe(false)
    },
  )
})
