import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCountCache } from '../../../src/domain/tokens/count-cache.ts'

function counting() {
  const counted: string[] = []
  const count = (text: string): number => {
    counted.push(text)
    return text.length * 2
  }
  return { count, counted }
}

describe('the count cache', () => {
  it('counts a text once', () => {
    const { count, counted } = counting()
    const cached = createCountCache(count, 10_000)
    expect([cached('abc'), cached('abc'), cached('abd')]).toEqual([6, 6, 6])
    expect(counted).toEqual(['abc', 'abd'])
  })

  it('forgets the least recently used text when it is full', () => {
    const { count, counted } = counting()
    const cached = createCountCache(count, 3 * (100 + 64))
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(100)) as [
      string,
      string,
      string,
      string,
    ]
    for (const text of [a, b, c, a, d]) cached(text)
    counted.length = 0
    for (const text of [a, c, d]) cached(text)
    expect(counted).toEqual([])
    cached(b)
    expect(counted).toEqual([b])
  })

  it('does not keep a text that is larger than the cache', () => {
    const { count, counted } = counting()
    const cached = createCountCache(count, 1_000)
    cached('small')
    cached('x'.repeat(2_000))
    cached('x'.repeat(2_000))
    cached('small')
    expect(counted).toHaveLength(3)
  })

  it('always answers what the counter answers', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 8 })), fc.nat(2_000), (texts, maxChars) => {
        const cached = createCountCache((text) => text.length, maxChars)
        for (const text of texts) expect(cached(text)).toBe(text.length)
      }),
    )
  })
})
