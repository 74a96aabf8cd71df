import { describe, expect, test } from 'vitest'
import { decisionsOf, look, mask, unmask } from '../../../support/masking.ts'
import { text } from '../../../support/transcripts.ts'

const open = { trigger: { type: 'always' }, keep: 0 } as const
const big = text(2000)

const call = (name: string, args: object, id?: string) => ({
  functionCall: { name, args, ...(id === undefined ? {} : { id }) },
})
const answer = (name: string, response: object, more: object = {}) => ({
  functionResponse: { name, response, ...more },
})

const contents = [
  { role: 'user', parts: [{ text: 'Start.' }] },
  {
    role: 'model',
    parts: [
      { text: 'Hm.', thought: true, thoughtSignature: 'sig' },
      call('read', { path: 'a' }),
      call('find', { q: 1 }),
    ],
  },
  {
    role: 'user',
    parts: [answer('find', { output: big }), answer('read', { lines: [big], n: 1.5 })],
  },
  {
    role: 'model',
    parts: [call('read', { path: 'b' }), call('fail', {}, 'id-1'), call('see', {})],
  },
  {
    role: 'function',
    parts: [
      answer('read', { result: big }),
      answer('fail', { error: big }, { id: 'id-1' }),
      answer(
        'see',
        { output: { big } },
        { parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      ),
    ],
  },
  {
    role: 'model',
    parts: [
      { executableCode: { language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { outcome: 'OUTCOME_OK', output: big } },
      { text: 'Done.' },
    ],
  },
]
const source = JSON.stringify({
  systemInstruction: { parts: [{ text: 'Be brief.' }] },
  contents,
  tools: [{ functionDeclarations: [{ name: 'read' }] }],
})

describe('Gemini contents', () => {
  test('responses without ids pair by the name of the function', () => {
    const { lens, results } = look(source)
    expect(lens.formats).toEqual(['gemini'])
    expect(
      results.map(({ call_id, tool, turn, occurrence, is_error, has_call }) => [
        call_id,
        tool,
        turn,
        occurrence,
        is_error,
        has_call,
      ]),
    ).toEqual([
      ['', 'find', 1, 0, false, true],
      ['', 'read', 1, 1, false, true],
      ['', 'read', 2, 2, false, true],
      ['id-1', 'fail', 2, 0, true, true],
      ['', 'see', 2, 3, false, true],
      ['', 'code_execution', 3, 4, false, true],
    ])
  })

  test('a response stays an object', async () => {
    const done = await mask(source, { policy: open })
    expect(decisionsOf(done.plan)).toEqual([
      'masked',
      'masked',
      'masked',
      'masked',
      'unsupported_part',
      'unsupported_part',
    ])
    const masked = JSON.parse(done.source).contents
    const [found, , read, failed] = done.edits.map(({ placeholder }) => placeholder)
    expect(masked[2].parts[0].functionResponse.response).toEqual({ output: found })
    expect(masked[2].parts[1].functionResponse.response).toEqual({
      output: expect.stringMatching(/ as json\]$/),
    })
    expect(masked[4].parts[0].functionResponse.response).toEqual({ result: read })
    expect(masked[4].parts[1].functionResponse).toEqual({
      id: 'id-1',
      name: 'fail',
      response: { error: failed },
    })
    expect(failed).toMatch(/^\[Tool: fail\. Error output masked/)
    expect(JSON.parse(unmask(done.source, done.memory).source).contents).toEqual(contents)
  })

  test('snake case, as Python writes it, is the same', async () => {
    const snake = JSON.stringify({
      system_instruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        { role: 'model', parts: [{ function_call: { name: 'f', args: {} } }] },
        { role: 'user', parts: [{ function_response: { name: 'f', response: { 'a/b': big } } }] },
        { role: 'model', parts: [{ text: 'Done.' }] },
      ],
    })
    const done = await mask(snake, { policy: open })
    expect(done.edits).toMatchObject([
      { pointer: '/contents/1/parts/0/function_response/response/a~1b' },
    ])
    expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(JSON.parse(snake))
  })

  test('counts instructions, functions, thoughts and inline data', () => {
    const seen: string[] = []
    const withImage = JSON.stringify({
      ...JSON.parse(source),
      contents: [{ parts: [{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(9000) } }] }],
    })
    const { counted } = look(withImage, '', (piece) => seen.push(piece) * 0 + 1)
    expect(seen).toEqual(['Be brief.', '{"functionDeclarations":[{"name":"read"}]}'])
    expect(counted.tokens).toBe(1602)
  })
})
