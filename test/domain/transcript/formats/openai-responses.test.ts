import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

type Item = OpenAI.Responses.ResponseInputItem
const open = { trigger: { type: 'always' }, keep: 0 } as const
const big = text(2000)
const end = { role: 'assistant', content: 'Done.' } satisfies Item

const calls = [
  { role: 'user', content: 'Start.' },
  {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'Hm.' }],
    encrypted_content: 'gAAA',
  },
  { type: 'function_call', call_id: 'f1', name: 'read', arguments: '{"path":"a"}' },
  { type: 'function_call', call_id: 'f2', name: 'look', arguments: '{}' },
  { type: 'function_call_output', call_id: 'f1', output: big },
  {
    type: 'function_call_output',
    call_id: 'f2',
    output: [
      { type: 'input_text', text: big },
      { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
    ],
  },
  { type: 'custom_tool_call', call_id: 'c1', name: 'sql', input: 'select 1' },
  { type: 'custom_tool_call_output', call_id: 'c1', output: [{ type: 'input_text', text: big }] },
  { type: 'shell_call', call_id: 's1', action: { commands: ['ls'] } },
  {
    type: 'shell_call_output',
    call_id: 's1',
    max_output_length: 4096,
    output: [{ stdout: big, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
  },
  { type: 'shell_call', call_id: 's2', action: { commands: ['a', 'b'] } },
  {
    type: 'shell_call_output',
    call_id: 's2',
    output: [
      { stdout: big, stderr: 'warning', outcome: { type: 'exit', exit_code: 0 } },
      { stdout: '', stderr: big, outcome: { type: 'exit', exit_code: 2 } },
    ],
  },
  {
    type: 'local_shell_call',
    id: 'ls_1',
    call_id: 'l1',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  { type: 'local_shell_call_output', id: 'l1', output: big },
  {
    type: 'apply_patch_call',
    call_id: 'p1',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a' },
  },
  { type: 'apply_patch_call_output', call_id: 'p1', status: 'failed', output: big },
  {
    type: 'computer_call',
    id: 'cc_1',
    call_id: 'k1',
    status: 'completed',
    pending_safety_checks: [],
    action: { type: 'screenshot' },
  },
  {
    type: 'computer_call_output',
    call_id: 'k1',
    output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${'A'.repeat(9000)}` },
  },
  {
    type: 'mcp_call',
    id: 'mcp_1',
    name: 'search',
    server_label: 'docs',
    arguments: '{}',
    output: big,
  },
  { type: 'compaction', encrypted_content: 'gAAAA'.repeat(100) },
  end,
] satisfies Item[]

const source = JSON.stringify({ model: 'gpt-5', instructions: 'Be brief.', input: calls })

describe('OpenAI Responses items', () => {
  test('every kind of output is found, with its call', () => {
    const { lens, results, reading } = look(source)
    expect(lens.formats).toEqual(['openai_responses'])
    expect(
      results.map(({ call_id, tool, turn, is_error, has_call }) => [
        call_id,
        tool,
        turn,
        is_error,
        has_call,
      ]),
    ).toEqual([
      ['f1', 'read', 1, false, true],
      ['f2', 'look', 1, false, true],
      ['c1', 'sql', 2, false, true],
      ['s1', 'shell', 3, false, true],
      ['s2', 'shell', 4, true, true],
      ['l1', 'local_shell', 5, false, true],
      ['p1', 'apply_patch', 6, true, true],
      ['k1', 'computer', 7, false, true],
      ['mcp_1', 'search', 8, false, true],
    ])
    expect(reading.calls.every(({ answered }) => answered)).toBe(true)
  })

  test('all are masked in their own shape, but screenshots, and come back', async () => {
    const done = await mask(source, { policy: open })
    expect(decisionsOf(done.plan)).toEqual(
      Array.from({ length: 9 }, (_, index) => (index === 7 ? 'unsupported_part' : 'masked')),
    )
    const { input } = JSON.parse(done.source)
    const ref = expect.stringMatching(
      /^\[Tool: \w+\. Output masked\. See memex:\/\/excerpt\/\w{64}\]$/,
    )
    const json = expect.stringMatching(/ as json\]$/)
    const error = expect.stringMatching(/^\[Tool: \w+\. Error output masked/)
    expect(input[4].output).toEqual(ref)
    expect(input[5].output).toEqual(json)
    expect(input[7].output).toEqual([{ type: 'input_text', text: ref }])
    expect(input[9]).toEqual({
      ...calls[9],
      output: [{ stdout: ref, stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
    })
    expect(input[11].output).toEqual([
      { stdout: json, stderr: '', outcome: { type: 'exit', exit_code: 2 } },
    ])
    expect(input[13].output).toEqual(ref)
    expect(input[15]).toEqual({ ...calls[15], output: error })
    expect(input[18]).toEqual({ ...calls[18], output: ref })
    for (const untouched of [0, 1, 2, 3, 6, 8, 10, 12, 14, 16, 17, 19, 20])
      expect(input[untouched]).toEqual(calls[untouched])
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(JSON.parse(source))
  })

  test('an edit carries the value where the format wants a structure around the placeholder', async () => {
    const { edits } = await mask(source, { policy: open })
    expect(edits.find(({ call_id }) => call_id === 's2')).toMatchObject({
      pointer: '/input/11/output',
      value: [{ stderr: '' }],
    })
    expect(edits.find(({ call_id }) => call_id === 'f1')).not.toHaveProperty('value')
  })

  test('what is encrypted costs nothing, a screenshot what an image costs', () => {
    const { counted, results } = look(source)
    const screenshot = results[7]?.pointer ?? ''
    expect(counted.by_result.get(screenshot)).toBe(1600)
    expect(counted.items.some(({ pointer }) => pointer === '/input/19')).toBe(true)
    expect(counted.items.find(({ pointer }) => pointer === '/input/19')?.tokens).toBeLessThan(20)
  })

  test('an output without a call id belongs to the open call of its tool', () => {
    const items = [
      { type: 'function_call', call_id: 'x', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: null, name: 'read', output: big },
      end,
    ] satisfies Item[]
    expect(look(JSON.stringify(items)).results).toMatchObject([
      { call_id: '', tool: 'read', has_call: true },
    ])
  })

  test('outputs that a program replays, and those still running, stay', async () => {
    const items = [
      { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
      {
        type: 'function_call_output',
        call_id: 'a',
        output: big,
        caller: { type: 'program', caller_id: 'p' },
      },
      { type: 'function_call', call_id: 'b', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'b', output: big, status: 'in_progress' },
      { type: 'mcp_call', id: 'm', name: 'f', server_label: 's', arguments: '', status: 'calling' },
      end,
    ] satisfies Item[]
    const { plan } = await mask(JSON.stringify(items), { policy: open })
    expect(decisionsOf(plan)).toEqual(['unsupported_part', 'open_call'])
  })

  test.each([
    ['with no output', {}, ['unsupported_part'], 0],
    ['with a null output', { output: null }, ['unsupported_part'], 0],
    ['with an output', { output: big }, ['masked'], 1],
  ])('the error of an MCP call %s is counted, and stays', async (_, output, decisions, masked) => {
    const error = { type: 'mcp_tool_execution_error', content: [{ type: 'text', text: big }] }
    const call = { type: 'mcp_call', id: 'm', name: 'f', server_label: 's', arguments: '{}' }
    const failed = { ...call, ...output, error }
    const bare = look(JSON.stringify([call, end])).counted.tokens
    const done = await mask(JSON.stringify([failed, end]), { policy: open })
    expect(decisionsOf(done.plan)).toEqual(decisions)
    expect(done.plan.masked).toBe(masked)
    expect(JSON.parse(done.source)[0].error).toEqual(error)
    const left = done.look.counted.tokens - done.plan.saved_tokens
    expect(look(done.source).counted.tokens).toBe(left)
    expect(left).toBeGreaterThan(bare + big.length / 5)
  })

  test('an item of an unknown type is counted and left alone', async () => {
    const novel = { type: 'novel_call_output', call_id: 'f1', output: big }
    const items = [...calls.slice(0, 5), novel, end]
    const done = await mask(JSON.stringify(items), { policy: open })
    expect(done.plan.decisions.map(({ call_id }) => call_id)).toEqual(['f1'])
    expect(JSON.parse(done.source)[5]).toEqual(novel)
    expect(done.look.counted.items).toContainEqual({ pointer: '/5', tokens: expect.any(Number) })
  })

  test('the input may be one text', () => {
    expect(look('{"input":"hello","instructions":"x"}').counted.tokens).toBeGreaterThan(0)
  })

  test('an image that was made counts by its size, not by its base64', () => {
    const items = [
      { role: 'user', content: [{ type: 'input_text', text: 'Draw.' }] },
      { type: 'image_generation_call', id: 'i', status: 'completed', result: 'A'.repeat(40_000) },
    ] satisfies Item[]
    expect(look(JSON.stringify(items)).counted.tokens).toBe(1602)
  })
})
