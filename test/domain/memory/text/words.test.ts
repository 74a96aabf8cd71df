import { describe, expect, it } from 'vitest'
import { countWords } from '../../../../src/domain/memory/text/words.ts'

describe('countWords', () => {
  it.each([
    ['', 0],
    ['  \n ', 0],
    ['one two  three\nfour', 4],
    ["don't re-use src/a/b.ts — ever", 4],
    ['- * 1 …', 1],
    ['Größe naïve Ελλάδα', 3],
  ])('counts the words of %j as %i', (text, words) => {
    expect(countWords(text)).toBe(words)
  })

  it('counts the words of scripts without spaces by a dictionary', () => {
    expect(countWords('今日は天気がいいです')).toBeGreaterThan(3)
    expect(countWords('ภาษาไทยไม่มีช่องว่าง')).toBeGreaterThan(3)
  })

  it('counts a long text without spaces as it counts a short one', () => {
    const once = countWords('漢字')
    expect(countWords('漢字'.repeat(5_000))).toBeGreaterThanOrEqual(5_000 * once * 0.9)
  })
})
