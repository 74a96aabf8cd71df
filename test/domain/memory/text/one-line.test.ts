import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLine, plainLine } from '../../../../src/domain/memory/text/one-line.ts'

describe('oneLine', () => {
  it('replaces line breaks, control characters and direction marks by single spaces', () => {
    expect(oneLine(' a\r\n\tb\u2028c\u0085d\u0000e\u202ef ')).toBe('a b c d e f')
  })

  it('leaves no line break or control character, and changes nothing in a second pass', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = oneLine(text)
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
        expect(oneLine(line)).toBe(line)
      }),
    )
  })
})

describe('plainLine', () => {
  it.each([
    ['# heading', '\\# heading'],
    ['- item', '\\- item'],
    ['> quote', '\\> quote'],
    ['``` fence', '\\``` fence'],
    ['===', '\\==='],
    ['12. item', '12\\. item'],
    ['3) item', '3\\) item'],
    ['<script>', '\\<script>'],
    [
      '[2026-11-30T00:00:00.000Z] masked 3 outputs',
      '\\[2026-11-30T00:00:00.000Z] masked 3 outputs',
    ],
    ['\\# twice', '\\\\# twice'],
    ['plain, with # and - inside', 'plain, with # and - inside'],
    ['2026 was fine', '2026 was fine'],
    ['', ''],
  ])('writes %j as the running text %j', (text, line) => {
    expect(plainLine(text)).toBe(line)
  })
})
