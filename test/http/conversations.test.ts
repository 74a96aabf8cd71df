import { beforeEach, describe, expect, test } from 'vitest'
import type { MissionState } from '../../src/domain/ledger/state.ts'
import type { Api } from '../support/api.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import type { MemoryDeps } from '../support/memory-deps.ts'
import { toolOutput } from '../support/session.ts'

const owner = { tenant: 'acme', mission: 'm' }
const { mission } = owner
const always = { trigger: { type: 'always' } }
const never = { trigger: { type: 'percent', value: 100 } }
type Message = object

const turns = (count: number, from = 1): Message[] =>
  Array.from({ length: count }, (_, n): Message[] => {
    const id = `c${from + n}`
    const content = toolOutput(2000, from + n)
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ]
  }).flat()

describe('conversations of a mission', () => {
  let api: Api
  let deps: MemoryDeps

  const ask = (question: string, messages: readonly Message[], policy: object, more = {}) =>
    api.ok('mask', {
      mission,
      body: {
        request: { messages: [{ role: 'user', content: question }, ...messages] },
        policy,
        window_tokens: 1_000_000,
        ...more,
      },
    })
  const stateOf = async (): Promise<MissionState> => {
    const view = await deps.missions?.read(owner)
    if (view === null || view === undefined) throw new Error('there is no mission')
    return view.state
  }

  beforeEach(async () => {
    deps = memoryDeps()
    api = await memoryApi(deps)
  })

  test('a conversation that goes on under another opening leaves nothing under the old one', async () => {
    await ask('A', turns(4), never)
    await ask('B', turns(3, 50), never)
    await ask('A', turns(5), never)
    await ask('A, asked anew', turns(6), never)
    const { context, conversations } = await stateOf()
    expect(conversations).toHaveLength(1)
    const known = [context.conversation, ...conversations.map(({ id }) => id)]
    for (const kind of ['conversation', 'answered'] as const) {
      const rows = await deps.missions?.page(owner, kind, { limit: 100 })
      expect(rows?.items.filter(({ key }) => key !== '' && !known.includes(key))).toEqual([])
    }
  })

  test('a context that is left with its task done has a number of its own', async () => {
    await ask('A', turns(4), never)
    await ask('B', turns(3, 50), never)
    await api.ok('report_context', { mission, body: { used_percentage: 9, task_complete: true } })
    await ask('A', turns(5), never)
    const rows = await deps.missions?.page(owner, 'conversation', { limit: 100 })
    const left = rows?.items.map(({ body }) => (body as MissionState['context']).number) ?? []
    expect((await stateOf()).contexts.begun).toBe(Math.max(...left))
  })

  test('a mask of another conversation counts as what it breaks of the cache', async () => {
    const branch = (conversation: string, count: number, policy: object) => {
      const own = turns(count, conversation === 'a' ? 20 : 40)
      return ask('Find it.', [...turns(8), ...own], policy, { conversation })
    }
    await branch('a', 1, never)
    await branch('b', 1, never)
    await branch('a', 2, always)
    const { first_changed_pointer } = await branch('b', 2, never)
    expect(first_changed_pointer).toBe('/messages/2/content/0/content')
    const { after, before } = (await stateOf()).context.calls
    // Nearly all of the prompt is written to the cache again, at 1.25 a token.
    expect(after.spent.masked - before.spent.masked).toBeGreaterThan(1.1 * after.last.masked)
  })
})
