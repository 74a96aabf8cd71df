import { expect, it } from 'vitest'
import { maskingLine, summaryLine } from '../../../src/domain/log/line.ts'

const AT = '2026-11-30T16:00:00.000Z'

it('writes a masking line in the form of the seed', () => {
  expect(maskingLine(AT, 12, 41.264)).toBe(
    '[2026-11-30T16:00:00.000Z] masked 12 outputs, new context %: 41.26',
  )
  expect(maskingLine(AT, 1, null)).toBe(
    '[2026-11-30T16:00:00.000Z] masked 1 outputs, new context %: unknown',
  )
})

it('writes a summarization line in the form of the seed', () => {
  expect(summaryLine(AT, { from: 3, to: 6 }, 900, 60)).toBe(
    '[2026-11-30T16:00:00.000Z] summarized turns 3-6, saved 900 tokens, new context %: 60',
  )
})
