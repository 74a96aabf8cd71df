import { describe, expect, it } from 'vitest'
import type { CountedSession } from '../../../../src/cli/replay/comparison/cost-model.ts'
import { anthropic, lastTen } from '../../../../src/cli/replay/comparison/peers.ts'

/** Ten calls; before each one a 100-token turn and a 1,000-token result came. */
const ten: CountedSession = {
  segments: Array.from({ length: 20 }, (_, index) =>
    index % 2 === 0 ? { tokens: 100 } : { tokens: 1_000, result: `/${index}` },
  ),
  calls: Array.from({ length: 10 }, (_, index) => 2 * (index + 1)),
}

describe('what others do', () => {
  it('clears all but the last results once the raw prompt is long enough, then one a call', () => {
    const cleared = anthropic(ten, 3, 5_000).map((masks) => masks.map(({ segment }) => segment))
    expect(cleared).toEqual([[], [], [], [], [1, 3], [5], [7], [9], [11], [13]])
    expect(anthropic(ten, 3).flat()).toEqual([])
  })

  it('keeps a window of the last results before every call', () => {
    const masks = lastTen(ten, 8)
    expect(masks.map(({ length }) => length)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
    expect(masks[8]).toEqual([{ segment: 1, tokens: 10 }])
    expect(lastTen(ten).flat()).toEqual([])
  })
})
