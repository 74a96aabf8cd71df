import type { AdviceAnswer, ReadingAnswer } from '../../contract/rows/context.ts'
import type { ExtractDue } from '../../domain/context/context-state.ts'
import type { Advice } from '../../domain/ledger/advice.ts'
import type { Reading } from '../../domain/meter/meter.ts'
import type { Deps } from '../../ports.ts'

export const readingAnswer = (known: Reading): ReadingAnswer => ({
  percent: known.percent,
  tokens: known.tokens,
  window_tokens: known.window_tokens,
  method: known.method,
  band: [...known.band],
  zone: known.zone,
})

export const adviceAnswer = ({ ranges, ...known }: Advice): AdviceAnswer => ({
  ...known,
  ...(ranges === undefined ? {} : { ranges: ranges.map((range) => ({ ...range })) }),
})

/** The outputs without an extract that an answer names: the largest. */
export const dueAnswer = (due: readonly ExtractDue[]): ExtractDue[] => due.slice(0, MOST_DUE)

/** From turn 20 on masking without storage costs more than it saves (seed, decision point 3). */
export const tooLong = (deps: Pick<Deps, 'memex'>, turns: number): string[] =>
  deps.memex === null && turns >= 20 ? ['session_too_long_for_in_context_masking'] : []

const MOST_DUE = 20
