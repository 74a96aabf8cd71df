import { describe, expect, it } from 'vitest'
import { signals } from '../../../src/domain/memory/signals.ts'
import type { SignalFacts } from '../../../src/domain/memory/signals.ts'

const GOOD: SignalFacts = {
  masked: 2,
  with_extract: 2,
  bullets: [3, 5, 4],
  logs: [['2026-11-30T10:00:00.000Z', '2026-11-30T10:00:00.000Z'], ['2026-11-30T09:00:00.000Z']],
  percent: 59.9,
  amber: 60,
  summaries: [
    { turns: { from: 5, to: 8 }, context: 1 },
    { turns: { from: 1, to: 4 }, context: 1 },
    { turns: { from: 1, to: 4 }, context: 2 },
  ],
  completed: 1,
  with_breadcrumb: 1,
  contexts: 2,
  waiting: false,
}

const failing = (facts: Partial<SignalFacts>) =>
  signals({ ...GOOD, ...facts }).filter(({ holds }) => !holds)

describe('signals', () => {
  it('all signals hold where the seed was followed', () => {
    expect(failing({})).toEqual([])
    expect(failing({ bullets: [], logs: [], percent: null, summaries: [] })).toEqual([])
  })

  it.each([
    [{ with_extract: 1 }, 'one_extract_per_masked_output', { masked: 2, with_extract: 1 }],
    [{ bullets: [3, 2] }, 'three_to_five_bullets_each', { extracts: 2, fewest: 2, most: 3 }],
    [{ bullets: [6] }, 'three_to_five_bullets_each', { extracts: 1, fewest: 6, most: 6 }],
    [{ logs: [['b', 'a', 'c']] }, 'logs_chronological', { lines: 3, out_of_order: 1 }],
    [{ percent: 60 }, 'back_under_amber', { percent: 60, amber: 60 }],
    [{ with_breadcrumb: 0 }, 'breadcrumb_at_completion', { completed: 1, with_breadcrumb: 0 }],
    [{ waiting: true }, 'context_switched', { contexts: 2, waiting: 1 }],
    [
      { summaries: [...GOOD.summaries, { turns: { from: 8, to: 11 }, context: 1 }] },
      'no_summary_of_a_summary',
      { summaries: 4, overlapping: 1 },
    ],
  ] as const)('with %o the signal %s does not hold', (facts, id, figures) => {
    expect(failing(facts)).toMatchObject([{ id, figures }])
  })
})
