import type { CountTokens } from '../../tokens.ts'
import { LONGEST_TOKEN_BYTES } from '../../tokens/longest-token.ts'
import { ANSWER_LIMIT_TOKENS, FOLD_LIMIT_TOKENS } from '../documents/contract.ts'
import { placeOf, sectionOf, type Facts } from './facts.ts'
import type { Issue } from './verdict.ts'

/** Tokens of the answer and of the whole fold; null where a text is too long to be within its limit. */
export interface Sizes {
  readonly answer: number | null
  readonly fold: number | null
}

/**
 * Counts the fold as it is judged: without BOM, with LF line ends; of section 2, what stands below its
 * heading, without the blanks around it.
 */
export function sizesOf(fold: Facts['fold'], count: CountTokens): Sizes {
  return {
    answer: countWithin(sectionOf(fold, 2)?.text ?? '', ANSWER_LIMIT_TOKENS, count),
    fold: countWithin(fold.text, FOLD_LIMIT_TOKENS, count),
  }
}

export function* answerWithinLimit({ fold }: Facts, { answer }: Sizes): Iterable<Issue> {
  if (answer === null || answer > ANSWER_LIMIT_TOKENS)
    yield {
      code: 'answer_too_long',
      message: `The answer has ${counted(answer, ANSWER_LIMIT_TOKENS)}, of ${ANSWER_LIMIT_TOKENS} at most.`,
      ...placeOf(fold, 2),
      id: '2',
      hint: 'Nothing but the answer to the DECISION_TARGET belongs here; evidence is in the Memex.',
    }
}

export function* foldWithinLimit(_facts: Facts, { fold }: Sizes): Iterable<Issue> {
  if (fold === null || fold > FOLD_LIMIT_TOKENS)
    yield {
      code: 'fold_too_long',
      message: `The fold has ${counted(fold, FOLD_LIMIT_TOKENS)}, of ${FOLD_LIMIT_TOKENS} at most.`,
      line: 1,
      column: 1,
      hint: 'A fold that does not fit means that the mission was under-scoped: halt, and split it.',
    }
}

const counted = (tokens: number | null, limit: number): string =>
  tokens === null ? `more than ${limit} tokens` : `${tokens} tokens`

/** The longest token has 128 bytes, and a UTF-16 unit is a byte at least: longer texts can't fit. */
const countWithin = (text: string, limit: number, count: CountTokens): number | null =>
  text.length > LONGEST_TOKEN_BYTES * limit ? null : count(text)
