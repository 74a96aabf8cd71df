import {
  AIMessage,
  HumanMessage,
  mapStoredMessagesToChatMessages,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages'
import { describe, expect, test } from 'vitest'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

const open = { trigger: { type: 'always' }, keep: 0 } as const
const big = text(2000)

// As the classes emit them; the third shape is what the LangGraph API sends.
const messages = [
  new SystemMessage('Be brief.'),
  new HumanMessage('Start.'),
  new AIMessage({
    content: [
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 't1', name: 'read', input: { path: 'a' } },
    ],
    tool_calls: [
      { id: 't1', name: 'read', args: { path: 'a' }, type: 'tool_call' },
      { id: 't2', name: 'find', args: {}, type: 'tool_call' },
    ],
  }),
  new ToolMessage({ content: big, tool_call_id: 't1', name: 'read', artifact: { raw: big } }),
  new ToolMessage({
    content: [
      { type: 'text', text: big },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ],
    tool_call_id: 't2',
    status: 'error',
  }),
  new AIMessage('Done.'),
]

const flat = messages.map((message) => {
  const { type, data } = message.toDict()
  return { type, ...data }
})

const shapes: [string, unknown[], string][] = [
  ['toDict', messages.map((message) => message.toDict()), '/data'],
  ['JSON.stringify', JSON.parse(JSON.stringify(messages)) as unknown[], '/kwargs'],
  ['flat', flat, ''],
]

describe.each(shapes)('LangChain messages, %s', (_, list, path) => {
  const source = JSON.stringify({ messages: list })

  test('are told from the others, and paired', () => {
    const { lens, results, reading } = look(source)
    expect(lens.formats).toEqual(['langchain'])
    expect(
      results.map(({ pointer, tool, turn, is_error }) => [pointer, tool, turn, is_error]),
    ).toEqual([
      [`/messages/3${path}/content`, 'read', 1, false],
      [`/messages/4${path}/content`, 'find', 1, true],
    ])
    expect(reading.turns).toBe(2)
  })

  test('are masked, but for the artifact, and come back', async () => {
    const done = await mask(source, { policy: open })
    expect(decisionsOf(done.plan)).toEqual(['masked', 'masked'])
    expect(done.source).toContain(JSON.stringify({ raw: big }))
    expect(done.edits[1]?.placeholder).toMatch(/^\[Tool: find\. Error output masked.* as json\]$/)
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual({ messages: list })
  })

  test('count each call once, although blocks and tool_calls both have it', () => {
    const seen: string[] = []
    look(source, '', (piece) => seen.push(piece))
    expect(seen.filter((piece) => piece === '{"path":"a"}')).toHaveLength(1)
  })
})

describe('LangChain messages', () => {
  test('that are masked still load', async () => {
    const stored = messages.map((message) => message.toDict())
    const done = await mask(JSON.stringify(stored), { policy: open })
    const loaded = mapStoredMessagesToChatMessages(JSON.parse(done.source))
    expect(loaded[3]?.content).toBe(done.edits[0]?.placeholder)
    expect(loaded[3]).toBeInstanceOf(ToolMessage)
  })

  test('raw and broken tool calls count as calls', () => {
    const list = [
      {
        type: 'ai',
        data: {
          content: '',
          tool_calls: [],
          additional_kwargs: {
            tool_calls: [{ id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } }],
          },
        },
      },
      { type: 'tool', data: { content: big, tool_call_id: 'x' } },
      {
        type: 'ai',
        data: { content: '', invalid_tool_calls: [{ id: 'y', name: 'g', args: '{' }] },
      },
      { type: 'tool', data: { content: 'bad json', tool_call_id: 'y', status: 'error' } },
    ]
    expect(look(JSON.stringify(list)).results).toMatchObject([
      { tool: 'f', has_call: true },
      { tool: 'g', has_call: true, is_error: true },
    ])
  })
})
