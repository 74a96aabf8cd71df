import { describe, expect, it } from 'vitest'
import { count } from '../../../support/count-tokens.ts'
import { FOLD, foldWith, issuesOf, judge } from '../../../support/fold-case.ts'

const ANSWER = FOLD.slice(FOLD.indexOf('PayRefund'), FOLD.indexOf('\n\n## 3.'))

/** An answer of exactly that many tokens: ` a` is one each. */
function answerOf(tokens: number): string {
  const end = ' [FINDING-017].'
  const words = (number: number) => `It${' a'.repeat(number)}${end}`
  return words(tokens - count(words(0)))
}

/** A fold of exactly that many tokens. */
function foldOf(tokens: number): string {
  const padded = (number: number) => foldWith('needs a run.', `needs a run${' a'.repeat(number)}.`)
  return padded(tokens - count(padded(0)))
}

describe('answer_within_200_tokens', () => {
  it('accepts 200 tokens and rejects 201', () => {
    const [fits, over] = [answerOf(200), answerOf(201)]
    expect([count(fits), count(over)]).toEqual([200, 201])
    const accepted = judge({ fold_md: foldWith(ANSWER, fits) })
    expect(accepted).toMatchObject({ accepted: true, tokens: { answer: 200 } })
    const rejected = judge({ fold_md: foldWith(ANSWER, `\n\n${over}\n\n`) })
    expect(rejected).toMatchObject({ accepted: false, tokens: { answer: 201 } })
    expect(issuesOf(rejected, 'answer_within_200_tokens')).toEqual(['answer_too_long 8:1 2'])
  })

  it('refuses an answer of over 128 bytes a token without counting it', () => {
    const counted: string[] = []
    const verdict = judge({
      fold_md: foldWith(ANSWER, `${'a'.repeat(25_600)} [FINDING-017].`),
      count: (text) => {
        counted.push(text)
        return 100
      },
    })
    expect(verdict.tokens).toEqual({ answer: null, fold: 100, encoding: 'o200k_base' })
    expect(issuesOf(verdict, 'answer_within_200_tokens')).toHaveLength(1)
    expect(counted.filter((text) => text.includes('aaaa'))).toHaveLength(1)
  })
})

describe('fold_within_2000_tokens', () => {
  it('accepts 2,000 tokens and rejects 2,001', () => {
    const [fits, over] = [foldOf(2000), foldOf(2001)]
    expect([count(fits), count(over)]).toEqual([2000, 2001])
    expect(judge({ fold_md: fits })).toMatchObject({ accepted: true, tokens: { fold: 2000 } })
    const rejected = judge({ fold_md: over })
    expect(rejected).toMatchObject({ accepted: false, tokens: { fold: 2001 } })
    expect(issuesOf(rejected, 'fold_within_2000_tokens')).toEqual(['fold_too_long 1:1'])
  })

  it('refuses a fold of over 128 bytes a token without counting it', () => {
    const counted: number[] = []
    const verdict = judge({
      fold_md: `${FOLD}${' '.repeat(256_000)}`,
      trajectory_tokens: 1000,
      count: (text) => {
        counted.push(text.length)
        return 1
      },
    })
    expect(verdict.tokens.fold).toBeNull()
    expect(verdict.fold_ratio).toBeUndefined()
    expect(issuesOf(verdict, 'fold_within_2000_tokens')).toEqual(['fold_too_long 1:1'])
    expect(Math.max(...counted)).toBeLessThan(FOLD.length)
  })
})
