import type { AdviceAnswer, ReadingAnswer } from '../contract/context.ts'
import type { Advice } from '../domain/meter/advice.ts'
import type { Reading } from '../domain/meter/meter.ts'

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
