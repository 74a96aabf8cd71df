import { beforeEach, describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import type { Deps } from '../../src/ports.ts'
import type { Api } from '../support/api.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { toolOutput } from '../support/session.ts'

const mission = 'm'
const always = { trigger: { type: 'always' } }
const never = { trigger: { type: 'percent', value: 100 } }
const window_tokens = 1_000_000
type Message = object
type Masked = Output<'mask'>

const start: Message = { role: 'user', content: 'Find it.' }

/** One turn of an agent: a call of a tool, and what it printed. */
const turnOf = (id: string, text: string): Message[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
]

const turns = (count: number, text: (turn: number) => string, id = (turn: number) => `c${turn}`) =>
  Array.from({ length: count }, (_, turn) => turnOf(id(turn), text(turn))).flat()

describe('a mask stays', () => {
  let api: Api
  const use = async (deps: Deps): Promise<void> => {
    api = await memoryApi(deps)
  }
  const mask = (messages: readonly Message[], policy: object = always): Promise<Masked> =>
    api.ok('mask', { mission, body: { request: { messages }, policy, window_tokens } })

  beforeEach(() => use(memoryDeps()))

  test('an equal output that is masked after another one left the history stays masked', async () => {
    const equal = (count: number) =>
      turns(
        count,
        () => 'the very same output '.repeat(40),
        () => 'c',
      )
    const last = (count: number) =>
      turns(
        count,
        (turn) => `end ${turn}`,
        (turn) => `z${turn}`,
      )
    const decided = async (messages: readonly Message[], policy: object) =>
      (await mask([start, ...messages], policy)).decisions[0]?.decision
    expect(await decided([...equal(2), ...last(2)], always)).toBe('masked')
    expect(await decided([...equal(1), ...last(2)], never)).not.toBe('masked_before')
    expect(await decided([...equal(1), ...last(3)], always)).toBe('masked')
    expect(await decided([...equal(1), ...last(4)], never)).toBe('masked_before')
  })

  test('an output that was refused, and is masked without its bytes since, stays masked', async () => {
    const finding = { rule: 'test', severity: 'secret', start: 0, end: 1 } as const
    const scan = (text: string) => Promise.resolve(text.includes('SEKRIT') ? [finding] : [])
    await use({ ...memoryDeps(), loadSecrets: () => Promise.resolve(scan) })
    const messages = [
      start,
      ...turns(5, (turn) => `${turn === 0 ? 'SEKRIT ' : ''}${toolOutput(2000, turn)}`),
    ]
    const first = async (policy: object) => (await mask(messages, policy)).decisions[0]?.decision
    expect(await first(always)).toBe('secret')
    const unstorable = 'placeholder'
    const made = await mask(messages, { ...always, unstorable })
    expect(made).toMatchObject({ masked: 1, log_entry: { items: [{ ref: null }] } })
    const again = await mask(messages, never)
    expect(again.decisions[0]?.decision).toBe('masked_before')
    expect(again.request).toEqual(made.request)
  })

  describe('under a call id that never changes', () => {
    const sent = (count: number) => [
      start,
      ...turns(
        count,
        (turn) => toolOutput(1500, turn),
        () => 'call',
      ),
    ]
    const grow = async (): Promise<void> => {
      for (let count = 5; count < 80; count += 5) await mask(sent(count))
    }

    test('masks without storage all stay', async () => {
      await use({ ...memoryDeps(), memex: null })
      await grow()
      expect((await mask(sent(75), never)).masked_before).toBe(72)
    })

    test('an unmask of the request lifts them all', async () => {
      await grow()
      const { masked_before, request } = await mask(sent(75), never)
      expect(masked_before).toBe(72)
      await api.ok('unmask', { mission, body: { request } })
      expect((await mask(sent(75), never)).masked_before).toBe(0)
    })
  })

  describe('when it was made by an observation', () => {
    const observe = async (text: (turn: number) => string): Promise<Message[]> => {
      await api.ok('put_mission', { mission, body: { policy: always, window_tokens } })
      for (let turn = 0; turn < 8; turn++) {
        const body = { call_id: `c${turn}`, tool: 'read', turn: turn + 1, output: text(turn) }
        await api.ok('observe', { mission, body })
      }
      return [start, ...turns(8, text)]
    }

    test('an output without storage is masked again when it comes raw', async () => {
      await use({ ...memoryDeps(), memex: null })
      const messages = await observe((turn) => toolOutput(2000, turn))
      expect((await mask(messages, never)).masked_before).toBe(5)
    })

    test('an output that is no ASCII has one name, raw and masked', async () => {
      const messages = await observe((turn) => `${'é'.repeat(900)}${turn}`)
      const { masked_before, request } = await mask(messages, never)
      expect(masked_before).toBe(5)
      const kept = (request as { messages: Message[] }).messages
      expect((await mask(kept, never)).first_changed_pointer).toBeNull()
    })
  })
})
