import type Anthropic from '@anthropic-ai/sdk'
import { describe, expect, test } from 'vitest'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

const big = text(2000)

const request = {
  model: 'claude-sonnet-4-5',
  max_tokens: 1024,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  tools: [{ name: 'read', input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Start.' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
        { type: 'redacted_thinking', data: 'b3BhcXVl'.repeat(500) },
        { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a' } },
        { type: 'tool_use', id: 'b', name: 'see', input: {} },
        { type: 'tool_use', id: 'c', name: 'find', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'text', text: big }],
          cache_control: { type: 'ephemeral' },
        },
        {
          type: 'tool_result',
          tool_use_id: 'b',
          is_error: true,
          content: [
            { type: 'text', text: big },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: big } },
            {
              type: 'search_result',
              source: 's',
              title: 't',
              content: [{ type: 'text', text: big }],
            },
          ],
        },
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: [{ type: 'tool_reference', tool_name: 'deploy' }],
        },
        { type: 'text', text: 'And?' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
        {
          type: 'web_search_tool_result',
          tool_use_id: 's',
          content: [
            {
              type: 'web_search_result',
              title: 'Found',
              url: 'https://example.com',
              encrypted_content: 'b3BhcXVl'.repeat(500),
            },
          ],
        },
        { type: 'text', text: 'Done.' },
      ],
    },
  ],
} satisfies Anthropic.MessageCreateParams

describe('Anthropic Messages', () => {
  const source = JSON.stringify(request)

  test('tool results are masked in their own shape; what the provider wants back stays', async () => {
    const { lens, results } = look(source)
    expect(lens.formats).toEqual(['anthropic_messages'])
    expect(results.map(({ tool, turn, is_error }) => [tool, turn, is_error])).toEqual([
      ['read', 1, false],
      ['see', 1, true],
      ['find', 1, false],
      ['web_search', 2, false],
    ])
    const done = await mask(source, { policy: { trigger: { type: 'always' }, keep: 0 } })
    expect(decisionsOf(done.plan)).toEqual([
      'masked',
      'masked',
      'unsupported_part',
      'unsupported_part',
    ])
    const masked = JSON.parse(done.source) as typeof request
    const [read, see] = done.edits.map(({ placeholder }) => placeholder)
    const content = request.messages[2]?.content as object[]
    expect(masked.messages[2]?.content).toEqual([
      { ...content[0], content: [{ type: 'text', text: read }] },
      { ...content[1], content: see },
      ...content.slice(2),
    ])
    expect(see).toMatch(/^\[Tool: see\. Error output masked.* as json\]$/)
    expect({ ...masked, messages: [] }).toEqual({ ...request, messages: [] })
    for (const untouched of [0, 1, 3])
      expect(masked.messages[untouched]).toEqual(request.messages[untouched])
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(request)
  })

  test('opaque data is not counted by its length', () => {
    expect(look(source).counted.tokens).toBeLessThan(2000 + 1600 + 500)
  })
})
