import { describe, expect, it } from 'vitest'
import { fitsTokens, LONGEST_TOKEN_BYTES } from '../../../src/domain/tokens/fits.ts'
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base'
import { createO200kCounter } from '../../../src/domain/tokens/o200k.ts'

const count = createO200kCounter(vocabulary)

describe('fitting a token limit', () => {
  it('is exact on both sides of the limit', () => {
    const text = 'one two three four'
    expect(count(text)).toBe(4)
    expect(fitsTokens(count, text, 4)).toBe(true)
    expect(fitsTokens(count, text, 3)).toBe(false)
  })

  it('accepts the longest text that a limit can hold', () => {
    expect(fitsTokens(count, ' '.repeat(128 * 20), 20)).toBe(true)
    expect(fitsTokens(count, ' '.repeat(128 * 20 + 1), 20)).toBe(false)
  })

  it('refuses over 128 bytes a token without counting', () => {
    const never = (): number => {
      throw new Error('counted')
    }
    expect(fitsTokens(never, 'a'.repeat(128 * 2_000 + 1), 2_000)).toBe(false)
  })

  it('knows the longest token of the vocabulary', () => {
    const sizes = vocabulary.map((token) =>
      typeof token === 'string' ? Buffer.byteLength(token) : token.length,
    )
    expect(sizes.reduce((most, size) => Math.max(most, size), 0)).toBe(LONGEST_TOKEN_BYTES)
  })
})
