import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sessionCost } from '../../../../src/cli/replay/comparison/cost-model.ts'
import type { SessionCost } from '../../../../src/cli/replay/comparison/cost-model.ts'
import { schedulesOf } from '../../../../src/cli/replay/comparison/schedules.ts'
import { segmentsOf } from '../../../../src/cli/replay/comparison/segments.ts'
import { sessionOf } from '../../../../src/cli/replay/session.ts'

const words = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length
const text = (count: number, word: string): string => `${word} `.repeat(count)

/** A session of turns, each of which says something, calls tools and reads so many words from each. */
const sessionOfTurns = (
  turns: readonly { readonly said: number; readonly read: readonly number[] }[],
) =>
  sessionOf(
    {
      messages: [
        { role: 'user', content: 'go' },
        ...turns.flatMap(({ read, said }, turn) => [
          {
            role: 'assistant',
            content: [
              { type: 'text', text: text(said + 1, `s${turn}`) },
              ...read.map((_, index) => ({
                type: 'tool_use',
                id: `c${turn}-${index}`,
                name: 'ls',
                input: {},
              })),
            ],
          },
          {
            role: 'user',
            content: [
              ...read.map((count, index) => ({
                type: 'tool_result',
                tool_use_id: `c${turn}-${index}`,
                content: text(count, `r${turn}`),
              })),
              { type: 'text', text: 'on' },
            ],
          },
        ]),
        { role: 'assistant', content: 'done' },
      ],
    },
    's',
    new Map(),
  )

const turns = fc.array(
  fc.record({ said: fc.nat(400), read: fc.array(fc.nat(200), { maxLength: 3 }) }),
  { minLength: 4, maxLength: 16 },
)
const share = (most: number) => fc.nat(100).map((percent) => (most * percent) / 100)
const prices = fc.record({ input: fc.constant(1), cache_read: share(0.3), cache_write: share(2) })
const policies = fc.record({
  keep: fc.nat(2),
  alpha: share(0.2).map((alpha) => alpha + 0.001),
  max_loss: share(0.2),
})

/** What the calls so far came to, call by call. */
function prefixes({ series }: SessionCost): readonly number[] {
  let total = 0
  return series.map(({ cost }) => (total += cost))
}

describe('break_even, rehearsed on any session', () => {
  it('never costs more than its budget over raw, at no moment', async () => {
    let masked = 0
    await fc.assert(
      fc.asyncProperty(turns, prices, policies, async (read, asked, policy) => {
        const session = sessionOfTurns(read)
        const counted = segmentsOf(session, words)
        const settings = { policy: { ...policy, prices: asked } }
        const { by_policy } = await schedulesOf(session, counted, ['break_even'], settings, words)
        const schedule = by_policy.get('break_even') ?? []
        masked += schedule.flat().length
        const raw = prefixes(sessionCost(counted, [], asked))
        const cost = prefixes(sessionCost(counted, schedule, asked))
        for (const [call, spent] of cost.entries())
          expect(spent).toBeLessThanOrEqual((1 + policy.max_loss) * (raw[call] ?? 0) + 1e-6)
      }),
      { numRuns: 200 },
    )
    expect(masked).toBeGreaterThan(200)
  })
})
