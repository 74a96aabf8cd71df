import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import type { Turn } from '../support/format-writers.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { formatWriters, sessionTurns } from '../support/transcript-arbitraries.ts'

type Masked = Output<'mask'>
interface Sender {
  readonly policy: object
  readonly window_tokens: number
}

const mission = 'm'
const TRIGGERS = [{ type: 'always' }, { type: 'break_even' }, { type: 'percent', value: 40 }]

const senders: fc.Arbitrary<Sender> = fc.record({
  policy: fc.record({
    trigger: fc.constantFrom(...TRIGGERS),
    keep: fc.integer({ min: 0, max: 4 }),
    min_bytes: fc.constantFrom(0, 40),
    alpha: fc.constantFrom(0.01, 0.2),
  }),
  window_tokens: fc.constantFrom(200, 2_000),
})

/** The answers to a growing session that is sent call by call, raw or as it was answered. */
async function sent(
  name: keyof typeof formatWriters,
  turns: readonly Turn[],
  { policy, window_tokens }: Sender,
  keeps: boolean,
): Promise<readonly Masked[]> {
  const { list, start, write } = formatWriters[name]
  const api = await memoryApi(memoryDeps())
  const answers: Masked[] = []
  let messages: unknown[] = [start]
  for (const turn of turns) {
    messages = [...messages, ...write(turn)]
    const request = { [list]: messages }
    const body = { request, format: name, policy, window_tokens }
    const answer = await api.ok('mask', { mission, body })
    answers.push(answer)
    if (keeps) messages = [...(answer.request as Record<string, unknown[]>)[list]!]
  }
  return answers
}

/** The messages of an answer, each as text. */
const messagesOf = (name: keyof typeof formatWriters, answer: Masked | undefined): string[] => {
  const request = (answer?.request ?? {}) as Record<string, unknown[] | undefined>
  return (request[formatWriters[name].list] ?? []).map((message) => JSON.stringify(message))
}

/** How many messages at the beginning are the same. */
function commonPrefix(one: readonly string[], other: readonly string[]): number {
  const different = one.findIndex((message, index) => message !== other[index])
  return different === -1 ? one.length : different
}

describe.each(Object.keys(formatWriters) as (keyof typeof formatWriters)[])(
  'what was masked of a %s session',
  (name) => {
    test('a result that is sent raw is masked as for a caller that keeps the masks', async () => {
      await fc.assert(
        fc.asyncProperty(sessionTurns, senders, async (turns, sender) => {
          const raw = await sent(name, turns, sender, false)
          const kept = await sent(name, turns, sender, true)
          for (const [call, answer] of raw.entries()) {
            expect(JSON.stringify(answer.request)).toBe(JSON.stringify(kept[call]?.request))
            expect(answer.masked).toBe(kept[call]?.masked)
            expect(answer.first_changed_pointer).toBe(kept[call]?.first_changed_pointer)
            expect(answer.context).toEqual(kept[call]?.context)
          }
        }),
        { numRuns: 30 },
      )
    })

    test('the common prefix of two calls shrinks only where a new mask is reported', async () => {
      await fc.assert(
        fc.asyncProperty(sessionTurns, senders, async (turns, sender) => {
          const answers = await sent(name, turns, sender, false)
          for (const [call, answer] of answers.entries()) {
            const before = messagesOf(name, answers[call - 1])
            const whole = commonPrefix(before, messagesOf(name, answer)) === before.length
            if (!whole) expect(answer.masked).toBeGreaterThan(0)
            if (answer.masked === 0) expect(answer.first_changed_pointer).toBeNull()
          }
        }),
        { numRuns: 30 },
      )
    })

    test('a masked result stays masked however many of the oldest messages are dropped', async () => {
      const drop = fc.integer({ min: 0, max: 20 })
      await fc.assert(
        fc.asyncProperty(sessionTurns, drop, senders, async (turns, dropped, sender) => {
          const { list, start, write } = formatWriters[name]
          const api = await memoryApi(memoryDeps())
          const written = turns.flatMap((turn) => {
            // A call without an answer would lend its tool to a later answer of its id until it is dropped.
            const calls = turn.calls.map((one) => ({ ...one, answered: true }))
            const [call, ...answers] = write({ ...turn, calls })
            return [[call, ...answers]]
          })
          const messages = [start, ...written.flat()]
          const first = { ...sender, request: { [list]: messages }, format: name }
          const whole = await api.ok('mask', { mission, body: first })
          const gone = Math.min(dropped, written.length - 1)
          const rest = written.slice(gone).flat()
          const never = { trigger: { type: 'percent', value: 100 } }
          const body = { ...first, policy: { ...sender.policy, ...never }, window_tokens: 1e8 }
          const trimmed = await api.ok('mask', {
            mission,
            body: { ...body, request: { [list]: rest } },
          })
          const before = messagesOf(name, whole)
          expect(messagesOf(name, trimmed)).toEqual(before.slice(before.length - rest.length))
        }),
        { numRuns: 30 },
      )
    })
  },
)
