import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { countCharacters } from '../../../../src/domain/memory/text/characters.ts'

const reference = new Intl.Segmenter('en', { granularity: 'grapheme' })

describe('countCharacters', () => {
  it.each([
    ['', 0],
    ['plain text', 10],
    ['👨‍👩‍👧‍👦', 1],
    ['🇩🇪🇫🇷', 2],
    ['👍🏽', 1],
    ['e\u0301', 1],
    ['a\r\nb', 3],
    ['क्षि', 1],
    ['각', 1],
    ['\u1100\u1161\u11a8', 1],
    ['漢字', 2],
    ['\u0600१', 1],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}', 1],
  ])('counts %j as %i', (text, characters) => {
    expect(countCharacters(text)).toBe(characters)
  })

  it('counts any text as Intl.Segmenter does, also across the borders of its windows', () => {
    const unit = fc.constantFrom(
      ...'a \r\nä漢각क्👨‍👩🇩🏽\u0301\u200d\u0600\u1100\u1161\u11a8\ufe0f\u0e33'.split(''),
      '👩‍👧',
      '🇩🇪',
      'x'.repeat(255),
    )
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 400 }), (units) => {
        const text = units.join('').toWellFormed()
        expect(countCharacters(text)).toBe([...reference.segment(text)].length)
      }),
    )
  })

  it('counts each code point of a character beyond the sixteenth as one more character', () => {
    for (const mark of ['\u0301', '\u{e0067}']) {
      expect(countCharacters(`👩${mark.repeat(15)}`)).toBe(1)
      expect(countCharacters(`👩${mark.repeat(16)}`)).toBe(2)
      expect(countCharacters(`👩${mark.repeat(20_000)}x`)).toBe(20_001 - 15 + 1)
    }
    expect(countCharacters('👩🏽\u200d👩🏽\u200d👩🏽\u200d👩🏽')).toBe(1)
  })

  it('segments each part of a long text a bounded number of times', () => {
    const segment = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    countCharacters('🇩🇪'.repeat(20_000))
    const seen = segment.mock.calls.map(([input]) => input.length)
    segment.mockRestore()
    expect(seen).not.toEqual([])
    expect(Math.max(...seen)).toBeLessThan(1000)
    expect(seen.reduce((sum, length) => sum + length, 0)).toBeLessThan(2 * 80_000)
  })
})
