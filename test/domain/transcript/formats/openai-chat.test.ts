import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

const big = text(2000)

const request = {
  model: 'gpt-5',
  tools: [{ type: 'function', function: { name: 'read', parameters: {} } }],
  messages: [
    { role: 'developer', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Start.' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'b', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
        { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: big },
    { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: big }] },
    {
      role: 'tool',
      tool_call_id: 'c',
      content: [
        { type: 'text', text: big },
        { type: 'text', text: 'more' },
      ],
    },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  ],
} satisfies OpenAI.ChatCompletionCreateParams

describe('OpenAI Chat Completions', () => {
  const source = JSON.stringify(request)

  test('tool messages are masked in their own shape', async () => {
    const { lens, results } = look(source)
    expect(lens.formats).toEqual(['openai_chat'])
    expect(results.map(({ tool, turn }) => [tool, turn])).toEqual([
      ['read', 1],
      ['sql', 1],
      ['read', 1],
    ])
    const done = await mask(source, { policy: { trigger: { type: 'always' }, keep: 0 } })
    expect(decisionsOf(done.plan)).toEqual(['masked', 'masked', 'masked'])
    const [first, second, third] = done.edits.map(({ placeholder }) => placeholder)
    expect(JSON.parse(done.source)).toEqual({
      ...request,
      messages: [
        ...request.messages.slice(0, 3),
        { role: 'tool', tool_call_id: 'a', content: first },
        { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: second }] },
        { role: 'tool', tool_call_id: 'c', content: third },
        request.messages[6],
      ],
    })
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(request)
  })

  test('custom calls, images and refusals count', () => {
    const seen: string[] = []
    const { counted } = look(source, '', (piece) => seen.push(piece) * 0)
    expect(seen).toEqual(expect.arrayContaining(['sql', 'select 1', 'No.', 'Be brief.']))
    expect(counted.tokens).toBe(85)
  })
})
