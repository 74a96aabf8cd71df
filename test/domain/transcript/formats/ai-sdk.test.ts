import { convertToModelMessages, modelMessageSchema, type ModelMessage, type UIMessage } from 'ai'
import { describe, expect, test } from 'vitest'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

const open = { trigger: { type: 'always' }, keep: 0 } as const
const big = text(2000)

type ToolOutput = Extract<
  Extract<ModelMessage, { role: 'tool' }>['content'][number],
  { type: 'tool-result' }
>['output']

const outputs = [
  { type: 'text', value: big },
  { type: 'error-text', value: big },
  { type: 'json', value: { lines: [big], n: 1.5 } },
  { type: 'json', value: big },
  { type: 'error-json', value: [big] },
  { type: 'content', value: [{ type: 'text', text: big }] },
  {
    type: 'content',
    value: [
      { type: 'text', text: big },
      { type: 'image-data', data: 'A'.repeat(4000), mediaType: 'image/png' },
    ],
  },
  { type: 'execution-denied', reason: 'The user said no.' },
] satisfies ToolOutput[]

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Start.' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'sig' } } },
      ...outputs.map((_, index) => ({
        type: 'tool-call' as const,
        toolCallId: `t${index}`,
        toolName: `tool${index}`,
        input: { index },
      })),
    ],
  },
  {
    role: 'tool',
    content: outputs.map((output, index) => ({
      type: 'tool-result' as const,
      toolCallId: `t${index}`,
      toolName: `tool${index}`,
      output,
    })),
  },
  { role: 'assistant', content: 'Done.' },
] satisfies ModelMessage[]

describe('AI SDK model messages', () => {
  const source = JSON.stringify({ messages })

  test('every type of output is masked in its own shape, which the SDK still takes', async () => {
    expect(look(source).lens.formats).toEqual(['ai_sdk'])
    const done = await mask(source, { policy: open })
    expect(decisionsOf(done.plan)).toEqual([
      ...Array.from({ length: 7 }, () => 'masked'),
      'unsupported_part',
    ])
    const masked = JSON.parse(done.source).messages
    const plain = expect.stringMatching(/^\[Tool: tool\d\. Output masked.*\w{64}\]$/)
    const error = expect.stringMatching(/^\[Tool: tool\d\. Error output masked/)
    const json = expect.stringMatching(/ as json\]$/)
    expect(masked[3].content.map(({ output }: { output: ToolOutput }) => output)).toEqual([
      { type: 'text', value: plain },
      { type: 'error-text', value: error },
      { type: 'json', value: json },
      { type: 'json', value: plain },
      { type: 'error-json', value: json },
      { type: 'content', value: [{ type: 'text', text: plain }] },
      { type: 'content', value: [{ type: 'text', text: json }] },
      outputs[7],
    ])
    for (const message of masked) expect(modelMessageSchema.safeParse(message).success).toBe(true)
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual({ messages })
  })

  test('results of a tool of the provider, inside the assistant message, stay', async () => {
    const own = [
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: 'w',
            toolName: 'search',
            input: {},
            providerExecuted: true,
          },
          {
            type: 'tool-result',
            toolCallId: 'w',
            toolName: 'search',
            output: { type: 'json', value: [big] },
          },
          { type: 'text', text: 'Found.' },
        ],
      },
    ] satisfies ModelMessage[]
    const { plan } = await mask(JSON.stringify(own), { policy: open })
    expect(decisionsOf(plan)).toEqual(['unsupported_part'])
  })

  test('version 4 kept the bare value', async () => {
    const old = [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'f', args: {} }],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'a', toolName: 'f', result: { big }, isError: true },
        ],
      },
      { role: 'assistant', content: 'Done.' },
    ]
    const done = await mask(JSON.stringify(old), { policy: open })
    expect(JSON.parse(done.source)[1].content[0].result).toMatch(/Error output masked.* as json\]$/)
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(old)
  })

  test('an output without a known type is refused with its place', () => {
    const wrong = structuredClone(messages) as unknown as { content: { output: unknown }[] }[]
    wrong[3]!.content[0]!.output = { type: 'novel', value: 1 }
    expect(() => look(JSON.stringify(wrong))).toThrow('/3/content/0/output')
  })
})

const uiMessages = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Start.' }] },
  {
    id: 'a1',
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.', state: 'done' },
      {
        type: 'tool-read',
        toolCallId: 'r1',
        state: 'output-available',
        input: { path: 'a' },
        output: big,
      },
      {
        type: 'tool-list',
        toolCallId: 'r2',
        state: 'output-available',
        input: {},
        output: { big },
      },
      { type: 'step-start' },
      {
        type: 'dynamic-tool',
        toolName: 'mcp.find',
        toolCallId: 'd1',
        state: 'output-error',
        input: {},
        errorText: big,
      },
      {
        type: 'dynamic-tool',
        toolName: 'slow',
        toolCallId: 'd2',
        state: 'output-available',
        input: {},
        output: big,
        preliminary: true,
      },
      {
        type: 'tool-web',
        toolCallId: 'w1',
        state: 'output-available',
        input: {},
        output: [big],
        providerExecuted: true,
      },
      { type: 'tool-ask', toolCallId: 'q1', state: 'input-available', input: {} },
      { type: 'source-url', sourceId: 's', url: 'https://example.com' },
      { type: 'data-chart', data: { series: [1, 2] } },
      { type: 'step-start' },
      { type: 'text', text: 'Done.', state: 'done' },
    ],
  },
] satisfies UIMessage[]

describe('AI SDK UI messages', () => {
  const source = JSON.stringify({ messages: uiMessages })

  test('a tool part is the call and its result, and comes back', async () => {
    const { lens, reading } = look(source)
    expect(lens.formats).toEqual(['ai_sdk_ui'])
    expect(reading.calls.map(({ call_id, tool, answered }) => [call_id, tool, answered])).toEqual([
      ['r1', 'read', true],
      ['r2', 'list', true],
      ['d1', 'mcp.find', true],
      ['d2', 'slow', true],
      ['w1', 'web', true],
      ['q1', 'ask', false],
    ])
    const done = await mask(source, { policy: open })
    expect(done.plan.decisions.map(({ tool, turn, decision }) => [tool, turn, decision])).toEqual([
      ['read', 1, 'masked'],
      ['list', 1, 'masked'],
      ['mcp_find', 2, 'masked'],
      ['slow', 2, 'open_call'],
      ['web', 2, 'unsupported_part'],
    ])
    const { parts } = JSON.parse(done.source).messages[1]
    expect(parts[2].output).toMatch(/^\[Tool: read\. Output masked/)
    expect(parts[3].output).toMatch(/ as json\]$/)
    expect(parts[5].errorText).toMatch(/^\[Tool: mcp_find\. Error output masked/)
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual({ messages: uiMessages })
  })

  test('parallel tools of the last step are still new to the model', async () => {
    const cut = [uiMessages[0], { ...uiMessages[1]!, parts: uiMessages[1]!.parts.slice(0, 4) }]
    const { plan } = await mask(JSON.stringify(cut), { policy: { ...open, keep: 1 } })
    expect(decisionsOf(plan)).toEqual(['inside_keep_window', 'inside_keep_window'])
  })

  test('what the model never sees is not counted', () => {
    const { counted } = look(source)
    expect(counted.items.map(({ pointer }) => pointer)).not.toContain('/messages/1/parts/10')
  })

  test('version 4 kept the call in toolInvocation', async () => {
    const old = [
      {
        id: 'a',
        role: 'assistant',
        content: 'Done.',
        parts: [
          { type: 'step-start' },
          {
            type: 'tool-invocation',
            toolInvocation: {
              state: 'result',
              toolCallId: 'x',
              toolName: 'f',
              args: {},
              result: big,
            },
          },
          { type: 'text', text: 'Done.' },
        ],
      },
    ]
    const done = await mask(JSON.stringify(old), { policy: open })
    expect(done.edits).toMatchObject([
      { pointer: '/0/parts/1/toolInvocation/result', call_id: 'x' },
    ])
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(old)
  })

  test('the model messages that the SDK makes of them are masked alike', async () => {
    const model = JSON.stringify(await convertToModelMessages(uiMessages))
    expect(look(model).lens.formats).toEqual(['ai_sdk'])
    const done = await mask(model, { policy: open })
    expect(done.plan.masked).toBeGreaterThanOrEqual(3)
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(JSON.parse(model))
    // And masked UI messages still convert, to masked model messages.
    const ui = await mask(source, { policy: open })
    const converted = JSON.stringify(await convertToModelMessages(JSON.parse(ui.source).messages))
    expect(converted).toContain('[Tool: read. Output masked')
    expect(converted).not.toContain(big.slice(0, 100))
  })
})
