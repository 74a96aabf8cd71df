import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base'
import { expect, it } from 'vitest'
import { LONGEST_TOKEN_BYTES } from '../../../src/domain/tokens/longest-token.ts'

it('is as long as the longest token of the vocabulary', () => {
  const sizes = vocabulary.map((token) =>
    typeof token === 'string' ? Buffer.byteLength(token) : token.length,
  )
  expect(sizes.reduce((most, size) => Math.max(most, size), 0)).toBe(LONGEST_TOKEN_BYTES)
})
