import { describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../../src/adapters/tokens/gpt-tokens.ts'
import { corpusText, hasCorpus, withoutCorpus } from '../../../support/corpus.ts'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

const open = { trigger: { type: 'always' }, keep: 0 } as const
const big = text(2000)
const agent = 'main'

const withTools = {
  environment: 'main',
  history: [
    { role: 'system', content: 'Be brief.', agent, message_type: 'system_prompt' },
    { role: 'user', content: big, agent, message_type: 'observation' },
    {
      role: 'assistant',
      content: 'I look.',
      thought: 'I look.',
      action: 'ls -F',
      agent,
      tool_calls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'bash', arguments: '{"command":"ls -F"}' },
        },
      ],
      message_type: 'action',
    },
    { role: 'tool', content: big, agent, message_type: 'observation', tool_call_ids: ['c1'] },
    {
      role: 'assistant',
      content: 'I open.',
      thought: 'I open.',
      action: 'open a',
      agent,
      tool_calls: [{ id: 'c2', type: 'function', function: { name: 'open', arguments: '{}' } }],
      message_type: 'action',
    },
    {
      role: 'tool',
      content: [{ type: 'text', text: big, cache_control: { type: 'ephemeral' } }],
      agent,
      message_type: 'observation',
      tool_call_ids: ['c2'],
    },
    {
      role: 'assistant',
      content: 'Done.',
      thought: 'Done.',
      action: '',
      agent,
      message_type: 'action',
    },
  ],
}

describe('SWE-agent history', () => {
  test('observations are paired by their tool call ids', async () => {
    const source = JSON.stringify(withTools)
    const { lens, results } = look(source)
    expect(lens.formats).toEqual(['swe_agent'])
    expect(results.map(({ tool, turn, has_call }) => [tool, turn, has_call])).toEqual([
      ['bash', 1, true],
      ['open', 2, true],
    ])
    const done = await mask(source, { policy: open })
    expect(decisionsOf(done.plan)).toEqual(['masked', 'masked'])
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(withTools)
  })

  test('without function calling the next user message is the observation', async () => {
    const history = [
      { role: 'system', content: 'Be brief.', agent },
      { role: 'user', content: big, agent, is_demo: true },
      { role: 'user', content: 'Fix it.', agent },
      {
        role: 'assistant',
        content: 'Look.\n```\nopen a.py 3\n```',
        thought: 'Look.',
        action: 'open a.py 3\n',
        agent,
      },
      { role: 'user', content: big, agent },
      {
        role: 'assistant',
        content: 'Done.\n```\nsubmit\n```',
        thought: 'Done.',
        action: 'submit',
        agent,
      },
    ]
    const source = JSON.stringify({ history })
    const done = await mask(source, { policy: open })
    expect(done.plan.decisions).toMatchObject([
      { pointer: '/history/4/content', call_id: '', tool: 'open', decision: 'masked' },
    ])
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual({ history })
  })

  test.skipIf(!hasCorpus)(`a real trajectory comes back${withoutCorpus}`, async () => {
    const source = corpusText('swe-agent-marshmallow-1867.traj')
    const count = await createTokenizer()()
    const done = await mask(source, { count })
    expect(done.look.lens.formats).toEqual(['swe_agent'])
    expect(done.look.results).toHaveLength(13)
    console.log(`swe-agent trajectory: ${done.plan.masked} of 13 results masked`)
    expect(done.plan.masked).toBeGreaterThan(0)
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(JSON.parse(source))
  })
})
