import { expect, it } from 'vitest'
import { imageTokens } from '../../../src/domain/tokens/image.ts'

it('prices an image by its size, and at the most one can cost where that is unknown', () => {
  // Anthropic's own table: 200×200 is 54 tokens, 1,000×1,000 is 1,334 (its page rounds both).
  expect(imageTokens({ width: 200, height: 200 })).toBe(54)
  expect(imageTokens({ width: 1_000, height: 1_000 })).toBe(1_334)
  expect(imageTokens({ width: 1, height: 1 })).toBe(1)
  expect(imageTokens({ width: 8_000, height: 8_000 })).toBe(1_600)
  expect(imageTokens({ width: 15_680, height: 10 })).toBe(3)
  expect(imageTokens({})).toBe(1_600)
  expect(imageTokens({ width: 0, height: 5 })).toBe(1_600)
  expect(imageTokens({ width: Number.NaN, height: 5 })).toBe(1_600)
})
