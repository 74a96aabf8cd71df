import type { AdviceAnswer, ReadingAnswer } from '../../contract/rows/context.ts'
import type { Advice } from '../../domain/ledger/advice.ts'
import type { ExtractDue } from '../../domain/context/context-state.ts'
import type { Reading } from '../../domain/meter/meter.ts'

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

const MOST_DUE = 20
