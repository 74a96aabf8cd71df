import fc from 'fast-check'
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { createO200kCounter, LONGEST_PIECE_BYTES } from '../../../src/domain/tokens/o200k.ts'

const count = createO200kCounter(vocabulary)
const peer = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

// gpt-tokenizer counts these wrongly: it strips U+FEFF, and \s and the i flag differ from Rust's.
const PEER_IS_WRONG = /[\ufeff\u0085\u017f]/

describe('the o200k counter', () => {
  // Expected counts are tiktoken 1.0.22 `encode_ordinary(text).length`.
  it.each([
    ['', 0],
    ['hello world', 2],
    ['\ufeff', 1],
    ['\ufeffusing System;', 3],
    ['\ufeff# Findings', 2],
    ['a\ufeffb', 3],
    ['\ufeff\ufeff\ufeff', 2],
    ['  \u0085 x', 4],
    ["IT'\u017f", 3],
    ["'LL'Re've", 4],
    ['\ud800', 1],
    ['a\udc00\ud83d', 2],
    ['<|endoftext|>', 7],
    ['<|im_start|>system', 7],
    ['toString constructor __proto__', 6],
    ['\u0301ABC', 2],
    ['ABC\u0301DEF', 3],
    [' \n \n  x', 3],
    ['1234567', 3],
    ['//\n/\n//', 2],
  ])('counts %j as tiktoken does', (text, tokens) => {
    expect(count(text)).toBe(tokens)
  })

  it('counts any text as gpt-tokenizer does, where that is right', () => {
    const scraps = fc.constantFrom(
      ...'a•the• function•ing•A•ABC•É•ß•ǅ•ʰ•中文•の•한•א•ع•0•12•²•Ⅷ•/•//•.•!•=•-•_•{"•$&'.split(
        '•',
      ),
      ...' •   •\t•\n•\r\n•\u00a0•\u3000•\u200b•\u0000•\u0301•\u20dd•\\'.split('•'),
      ..."'s•'LL•'re•'x•😀•👩‍👩‍👧•\u{1d400}•\u{10400}•\u{e0100}•<|endoftext|>".split('•'),
      '\ud800',
      '\udc00',
    )
    const texts = fc.oneof(
      fc.array(scraps, { maxLength: 40 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(!PEER_IS_WRONG.test(text))
        expect(count(text)).toBe(peer(text))
      }),
      { numRuns: 3_000 },
    )
  })

  // 42 to 3,000 bytes in one piece, merged by scan or by heap: both merge as gpt-tokenizer does.
  it.each([
    [
      'letters',
      (index: number) => String.fromCharCode(97 + ((index * index * 7 + index * 13) % 26)),
    ],
    ['one letter', () => 'a'],
    ['spaces', () => ' '],
    ['newlines', () => '\n'],
    ['dashes', () => '-'],
    ['hanzi', (index: number) => '的一是在不了有和人这'.charAt((index * 7) % 10)],
    ['joined emoji', () => '👩‍👩‍👧'],
    ['marks', () => '\u0301'],
  ])('merges a long piece of %s like the plain algorithm', (_name, unit) => {
    for (const length of [42, 43, 127, 128, 129, 250, 1_000]) {
      const text = Array.from({ length }, (_, index) => unit(index)).join('')
      expect(count(text)).toBe(peer(text))
    }
  })

  it('counts a piece of a million characters in slices, close to its exact count', () => {
    // 8 letters a make a token, so the exact count is known without merging it whole.
    expect(count('a'.repeat(1_048_576))).toBe(1_048_576 / 8)
    const slices = Math.ceil(600_000 / LONGEST_PIECE_BYTES)
    const hanzi = '的一是在不了有和人这'
    const exact = (count(hanzi.repeat(2_000)) - count(hanzi.repeat(1_000))) * 20
    expect(Math.abs(count(hanzi.repeat(20_000)) - exact)).toBeLessThanOrEqual(slices * 4)
  })

  it('counts an unbroken run of 64 KB as so many runs of 4 KB, but for the seams', () => {
    // 64 KB takes gpt-tokenizer seconds to a minute each; this test ends because ours is not quadratic.
    for (const unit of ['a', ' ', '\n', '=', '的', '👩‍👩‍👧', '\u0301', 'aB', '\n ']) {
      const short = count(unit.repeat(4_096))
      const long = count(unit.repeat(65_536))
      expect(long / (16 * short)).toBeGreaterThan(0.98)
      expect(long / (16 * short)).toBeLessThan(1.02)
    }
  })
})
