import { describe, expect, test } from 'vitest'
import type { PolicyInput } from '../../../src/domain/mission/policy.ts'
import { always, decisionsOf, look, mask, unmask } from '../../support/masking.ts'
import { anthropicTurn, openaiTurn, request, text } from '../../support/transcripts.ts'

const open: PolicyInput = { trigger: { type: 'always' }, keep: 0 }
const big = text(2000)
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(4000) },
}

/** Masks with keep 0, and checks that it comes back. */
async function roundTrip(source: string, root = '') {
  const done = await mask(source, { policy: open, root })
  const back = unmask(done.source, done.memory, root)
  expect(JSON.parse(back.source)).toEqual(JSON.parse(source))
  expect(back.not_restored).toEqual([])
  return { ...done, back }
}

const messageAt = (source: string, index: number) => JSON.parse(source).messages[index]

const callOf = (id: string, ref: unknown) => ({
  id,
  type: 'function',
  function: { name: 'fetch', arguments: JSON.stringify({ ref, lines: '1-20' }) },
})

describe('real-world shapes', () => {
  test('a string is replaced by a string', async () => {
    const { source } = await roundTrip(request(openaiTurn({ id: 'a', content: big })))
    expect(messageAt(source, 2)).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: expect.stringMatching(
        /^\[Tool: read\. Output masked\. See memex:\/\/excerpt\/\w+\]$/,
      ),
    })
  })

  test('a lone text block keeps its block and its other keys', async () => {
    const block = { type: 'text', text: big, cache_control: { type: 'ephemeral' } }
    const { source, edits, memory } = await roundTrip(
      request(anthropicTurn({ id: 'a', content: [block] })),
    )
    expect(messageAt(source, 2).content[0].content).toEqual([
      { ...block, text: edits[0]?.placeholder },
    ])
    expect(edits[0]?.placeholder).not.toContain('as json')
    const bytes = memory.excerpts.get(edits[0]?.ref ?? '') as Uint8Array
    expect(new TextDecoder().decode(bytes)).toBe(big)
  })

  test.each([
    [
      'several blocks',
      [
        { type: 'text', text: big },
        { type: 'text', text: 'more' },
      ],
    ],
    ['images', [image]],
    ['text and image', [{ type: 'text', text: big }, image]],
  ])('%s become one placeholder, and their JSON source is stored', async (_, content) => {
    const { source, edits, memory } = await roundTrip(request(anthropicTurn({ id: 'a', content })))
    expect(messageAt(source, 2).content[0].content).toBe(edits[0]?.placeholder)
    expect(edits[0]?.placeholder).toMatch(/ as json\]$/)
    const bytes = memory.excerpts.get(edits[0]?.ref ?? '') as Uint8Array
    expect(new TextDecoder().decode(bytes)).toBe(JSON.stringify(content))
  })

  test('lone surrogates survive, in a string and in a lone block', async () => {
    const broken = `${big}\ud83d and \udc00`
    const { source, edits } = await roundTrip(
      request(
        anthropicTurn({ id: 'a', content: broken }),
        anthropicTurn({ id: 'b', content: [{ type: 'text', text: broken, extra: 1 }] }),
      ),
    )
    expect(edits.map(({ placeholder }) => placeholder.endsWith(' as json]'))).toEqual([true, true])
    expect(messageAt(source, 4).content[0].content[0]).toMatchObject({ type: 'text', extra: 1 })
  })

  test('replacement patterns, escapes and odd characters in outputs are just text', async () => {
    const odd = '$& $` $\' $1 $$ \\ " \u0000 \u2028 \ufeff \u{1f600} \u007f </script> '
    const { back } = await roundTrip(
      request(
        openaiTurn({ id: 'a', content: odd.repeat(100) }, { id: 'b', content: `\ufeff${big}` }),
      ),
    )
    expect(back.edits[0]?.json).toBe(JSON.stringify(odd.repeat(100)))
  })

  test('700 KB in one result', async () => {
    const { plan } = await roundTrip(request(openaiTurn({ id: 'a', content: text(700_000) })))
    expect(plan.decisions[0]?.bytes).toBe(700_000)
  })

  test.each([null, undefined, '', []])('content %j stays as it is', async (content) => {
    for (const turn of [anthropicTurn, openaiTurn]) {
      const source = request(turn({ id: 'a', ...(content === undefined ? {} : { content }) }))
      const { source: masked, plan } = await roundTrip(source)
      expect(masked).toBe(source)
      expect(decisionsOf(plan)).toEqual(['not_shorter'])
    }
  })

  test('the same call id in two turns is two results with their own tools', async () => {
    const source = request(
      openaiTurn({ id: 'same', name: 'first', content: `1${big}` }),
      openaiTurn({ id: 'same', name: 'second', content: `2${big}` }),
    )
    const { plan, look: seen } = await roundTrip(source)
    expect(plan.decisions.map(({ tool, turn, occurrence }) => [tool, turn, occurrence])).toEqual([
      ['first', 1, 0],
      ['second', 2, 1],
    ])
    expect(seen.reading.calls.map(({ answered }) => answered)).toEqual([true, true])
  })

  test('parallel calls in one message are one turn', async () => {
    const { plan } = await roundTrip(
      request(
        anthropicTurn({ id: 'a', content: big }, { id: 'b', name: 'bash', content: `b${big}` }),
        openaiTurn({ id: 'c', content: big }, { id: 'd', content: `d${big}` }),
      ),
    )
    expect(plan.decisions.map(({ tool, turn }) => [tool, turn])).toEqual([
      ['read', 1],
      ['bash', 1],
      ['read', 2],
      ['read', 2],
    ])
  })

  test('a call without a result and a result without a call', async () => {
    const source = request(
      openaiTurn({ id: 'a', content: big }),
      [openaiTurn({ id: 'open' })[0]],
      [{ role: 'tool', tool_call_id: 'orphan', content: big }],
    )
    const { plan, look: seen } = await roundTrip(source)
    expect(decisionsOf(plan)).toEqual(['masked', 'open_call'])
    expect(seen.reading.calls.map(({ call_id, answered }) => [call_id, answered])).toEqual([
      ['a', true],
      ['open', false],
    ])
  })

  test('text and tool results mixed in one user message', async () => {
    const [call, answer] = anthropicTurn({ id: 'a', content: big }) as [
      unknown,
      { role: string; content: unknown[] },
    ]
    const mixed = {
      ...answer,
      content: [{ type: 'text', text: big }, ...answer.content, { type: 'text', text: 'and?' }],
    }
    const { source } = await roundTrip(request([call, mixed]))
    const { content } = messageAt(source, 2)
    expect(content[0]).toEqual(mixed.content[0])
    expect(content[2]).toEqual(mixed.content[2])
  })

  test('thinking and its signature are never touched', async () => {
    const thinking = { type: 'thinking', thinking: big, signature: 'x'.repeat(400) }
    const [call, answer] = anthropicTurn({ id: 'a', content: big }) as [
      { role: string; content: unknown[] },
      unknown,
    ]
    const source = request([{ ...call, content: [thinking, ...call.content] }, answer])
    const { source: masked } = await roundTrip(source)
    expect(messageAt(masked, 1)).toEqual(messageAt(source, 1))
  })

  test('numbers, spaces, key order and escapes outside masked results keep their spelling', async () => {
    const around = '"n": [12345678901234567890, 1.0, 1e400, -0], "\\u0061": "\\u00e9\\/" , '
    const body = `{ "policy":{}, "request" : {${around}"messages": ${JSON.stringify(
      JSON.parse(request(openaiTurn({ id: 'a', content: big }))).messages,
    )} }\n}`
    const { source, edits } = await roundTrip(body, '/request')
    expect(edits[0]?.pointer).toBe('/messages/2/content')
    expect(source).toBe(
      body.replace(JSON.stringify(big), () => JSON.stringify(edits[0]?.placeholder)),
    )
  })

  test('as json, numbers inside the result keep their spelling too', async () => {
    const content = '[{"type":"text","text":"a"},{"type":"x","n":[1.0,1e400,12345678901234567890]}]'
    const source = request(openaiTurn({ id: 'a', content: 'CONTENT' })).replace(
      '"CONTENT"',
      content.replace('"a"', JSON.stringify(big)),
    )
    const { back } = await roundTrip(source)
    expect(back.source).toBe(source)
  })

  test('of duplicate keys the last is the transcript, as for JSON.parse', async () => {
    const inner = request(openaiTurn({ id: 'a', content: big }))
    const source = `{"messages":[{"role":"tool"}],${inner.slice(1)}`
    await roundTrip(source)
  })

  test('keys called __proto__ are only keys', async () => {
    const source = request(openaiTurn({ id: 'a', content: big })).replace(
      '"role":"tool"',
      '"__proto__":{"content":"x"},"role":"tool"',
    )
    const { source: masked } = await roundTrip(source)
    expect(masked).toContain('"__proto__":{"content":"x"}')
  })

  test('legacy function messages pair by name', async () => {
    const source = request([
      { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
      { role: 'function', name: 'f', content: big },
    ])
    const { plan } = await roundTrip(source)
    expect(plan.decisions).toMatchObject([{ decision: 'masked', tool: 'f', call_id: '' }])
  })

  test('what a tool of the provider answers is left alone: it is encrypted', async () => {
    const source = request([
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
          {
            type: 'web_search_tool_result',
            tool_use_id: 's',
            content: [{ type: 'web_search_result', title: big, encrypted_content: big }],
          },
          { type: 'text', text: 'Found.' },
        ],
      },
    ])
    const { plan, source: masked } = await roundTrip(source)
    expect(decisionsOf(plan)).toEqual(['unsupported_part'])
    expect(masked).toBe(source)
    // Its title counts, what is encrypted does not.
    expect(plan.decisions[0]?.tokens).toBeLessThan(600)
  })

  test('an excerpt that is read back is not masked in the same turn', async () => {
    const first = await mask(request(openaiTurn({ id: 'a', content: big })), { policy: open })
    const { messages } = JSON.parse(first.source)
    const source = JSON.stringify([
      ...messages,
      ...openaiTurn({ id: 'r', name: 'memex_read', content: big }),
    ])
    const same = await mask(source, { policy: open, memory: first.memory })
    expect(decisionsOf(same.plan)).toEqual(['already_masked', 'inside_keep_window'])
    const part = JSON.stringify([
      ...messages,
      { role: 'assistant', content: null, tool_calls: [callOf('p', first.edits[0]?.ref)] },
      { role: 'tool', tool_call_id: 'p', content: big.slice(0, -10) },
    ])
    const some = await mask(part, { policy: open, memory: first.memory })
    expect(decisionsOf(some.plan)).toEqual(['already_masked', 'inside_keep_window'])
    const later = JSON.stringify([...JSON.parse(source), { role: 'assistant', content: 'I see.' }])
    const next = await mask(later, { policy: open, memory: first.memory })
    expect(decisionsOf(next.plan)).toEqual(['already_masked', 'masked'])
    expect(next.edits[0]?.ref).toBe(first.edits[0]?.ref)
  })

  test('a mixed list is read message by message', async () => {
    const source = JSON.stringify([
      ...anthropicTurn({ id: 'a', content: big }),
      ...openaiTurn({ id: 'o', content: big }),
      { role: 'assistant', content: 'Done.' },
    ])
    expect(look(source).lens.formats.toSorted()).toEqual(['anthropic_messages', 'openai_chat'])
    const { plan } = await mask(source, { policy: { ...always, keep: 0 } })
    expect(decisionsOf(plan)).toEqual(['masked', 'masked'])
  })
})
