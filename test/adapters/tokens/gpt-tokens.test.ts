import { describe, expect, it } from 'vitest'
import { createTokenizer } from '../../../src/adapters/tokens/gpt-tokens.ts'

describe('the tokenizer of an isolate', () => {
  it('counts in workerd as tiktoken does', async () => {
    const count = await createTokenizer()()
    expect(count('hello world')).toBe(2)
    expect(count('\ufeffusing System;')).toBe(3)
    expect(count('<|endoftext|>')).toBe(7)
    expect(count('\ud800')).toBe(1)
    expect(count(' '.repeat(128 * 512))).toBe(512)
  })

  it('is loaded once', async () => {
    const load = createTokenizer()
    const [first, second] = await Promise.all([load(), load()])
    expect(first).toBe(second)
    expect(await load()).toBe(first)
  })
})
