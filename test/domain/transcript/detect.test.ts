import { describe, expect, test } from 'vitest'
import type { Failure } from '../../../src/domain/failure.ts'
import { detectFormat } from '../../../src/domain/transcript/detect.ts'
import { anthropicTurn, openaiTurn } from '../../support/transcripts.ts'

const anthropic = anthropicTurn({ id: 'a', content: 'x' })
const openai = openaiTurn({ id: 'a', content: 'x' })

const nameOf = (request: unknown, named?: string): string => {
  const lens = detectFormat(request, named)
  return lens.ok ? lens.value.name : lens.error.code
}

function failureOf(request: unknown, named?: string): Failure {
  const lens = detectFormat(request, named)
  if (!lens.ok) return lens.error
  const reading = lens.value.read(request)
  if (reading.ok) throw new Error('nothing is wrong')
  return reading.error
}

describe('telling the format', () => {
  test('of a request and of a bare list', () => {
    expect(nameOf(anthropic)).toBe('anthropic_messages')
    expect(nameOf({ messages: anthropic, max_tokens: 1 })).toBe('anthropic_messages')
    expect(nameOf(openai)).toBe('openai_chat')
    expect(nameOf({ messages: openai, model: 'm' })).toBe('openai_chat')
  })

  test('plain messages may be of any chat format', () => {
    const request = { messages: [{ role: 'user', content: 'hi' }] }
    expect(detectFormat(request).ok).toBe(true)
    expect(nameOf(request, 'openai_chat')).toBe('openai_chat')
    expect(nameOf(request, 'anthropic_messages')).toBe('anthropic_messages')
  })

  test('of a mixed list is that of most messages', () => {
    const lens = detectFormat([...openai, ...openai, ...anthropic])
    expect(lens.ok && [lens.value.name, lens.value.formats.length]).toEqual(['openai_chat', 2])
  })

  test.each([
    ['langchain', { messages: [{ type: 'human', content: 'x' }] }],
    ['langchain', [{ type: 'ai', data: { content: 'x' } }]],
    [
      'openai_responses',
      { input: [{ role: 'user', content: [{ type: 'input_text', text: 'x' }] }] },
    ],
    ['openai_responses', { input: [{ type: 'function_call_output', call_id: 'a', output: 'x' }] }],
    ['ai_sdk_ui', { messages: [{ id: 'a', role: 'user', parts: [{ type: 'text', text: 'x' }] }] }],
    ['gemini', { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }],
    ['ai_sdk', { messages: [{ role: 'tool', content: [{ type: 'tool-approval-response' }] }] }],
    ['swe_agent', { history: [{ role: 'user', content: 'x', agent: 'main' }] }],
    ['openai_responses', { input: 'hello' }],
    ['openai_responses', { input: [{ role: 'developer', content: 'x' }] }],
    ['openai_chat', [{ role: 'developer', content: 'x' }]],
  ])('%s, among all', (name, request) => {
    expect(nameOf(request)).toBe(name)
  })

  test("a provider's answer kept as it came is a message of its own format", () => {
    const answer = { id: 'msg_1', type: 'message', stop_reason: 'tool_use', usage: {} }
    expect(nameOf([{ ...answer, ...(anthropic[0] as object) }, anthropic[1]])).toBe(
      'anthropic_messages',
    )
  })

  test('plain messages between messages that only their own format reads', () => {
    const request = [
      { role: 'user', content: 'plain' },
      { id: 'a', role: 'assistant', parts: [{ type: 'text', text: 'x' }] },
    ]
    const lens = detectFormat(request)
    expect(lens.ok && lens.value.formats).toEqual(['ai_sdk_ui', 'openai_chat'])
    expect(lens.ok && [...lens.value.pieces(request)].length).toBe(2)
  })

  test('a chat completion may be called a SWE-agent message, and the other way round', () => {
    expect(nameOf(openai, 'swe_agent')).toBe('swe_agent')
    expect(nameOf([{ role: 'user', content: 'x', agent: 'a' }], 'openai_chat')).toBe('openai_chat')
  })
})

describe('what is wrong with a transcript', () => {
  test.each([
    ['no list', { foo: [], bar: 1 }, 'format_unknown', ''],
    ['an unknown message', { messages: [{ foo: 1 }] }, 'format_unknown', '/messages/0'],
    ['an unknown role', [{ role: 'alien', content: 'x' }], 'format_unknown', '/0'],
    ['an empty list', { messages: [] }, 'transcript_invalid', '/messages'],
    ['an empty bare list', [], 'transcript_invalid', ''],
    ['a text', 'hello', 'transcript_invalid', ''],
    ['null', null, 'transcript_invalid', ''],
    ['messages that are no list', { messages: { 0: 1 } }, 'transcript_invalid', '/messages'],
    ['a message that is no object', [{ role: 'user', content: '' }, 3], 'transcript_invalid', '/1'],
    [
      'content of a wrong type',
      { messages: [{ role: 'user', content: 5 }] },
      'transcript_invalid',
      '/messages/0/content',
    ],
    [
      'a block that is no object',
      [{ role: 'user', content: [1] }],
      'transcript_invalid',
      '/0/content/0',
    ],
    [
      'a result without an id',
      [{ role: 'user', content: [{ type: 'tool_result', content: '' }] }],
      'transcript_invalid',
      '/0/content/0/tool_use_id',
    ],
    [
      'a call id that is a number',
      [{ role: 'assistant', tool_calls: [{ id: 1, function: { name: 'x' } }] }],
      'transcript_invalid',
      '/0/tool_calls/0/id',
    ],
    [
      'tool calls that are no list',
      [{ role: 'assistant', tool_calls: 1 }],
      'transcript_invalid',
      '/0/tool_calls',
    ],
    [
      'a tool message without an id',
      [{ role: 'tool', content: '' }],
      'transcript_invalid',
      '/0/tool_call_id',
    ],
    [
      'a result that is a number',
      [{ role: 'tool', tool_call_id: 'a', content: 7 }],
      'transcript_invalid',
      '/0/content',
    ],
  ])('%s', (_, request, code, pointer) => {
    const failure = failureOf(request)
    expect(failure.code).toBe(code)
    expect(failure.errors?.[0]?.pointer).toBe(pointer)
  })

  test('says what was seen, in few words', () => {
    const keys = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k\n${index}`, 1]))
    expect(failureOf(keys).detail).toContain('and 40 more')
    expect(failureOf(keys).detail).not.toContain('\n')
    expect(failureOf([{ role: 'x'.repeat(1000) }]).errors?.[0]?.detail?.length).toBeLessThan(200)
  })

  test('a named format is held to its name', () => {
    expect(failureOf(openai, 'anthropic_messages')).toMatchObject({
      code: 'transcript_invalid',
      errors: [
        { pointer: '/0', detail: 'is a message of openai_chat' },
        { pointer: '/1', detail: 'is a message of openai_chat' },
      ],
    })
    expect(failureOf(openai, 'morse')).toMatchObject({ code: 'format_unknown' })
  })

  test('lists at most 20 errors', () => {
    const wrong = Array.from({ length: 100 }, () => ({ role: 'user', content: 1 }))
    expect(failureOf(wrong).errors).toHaveLength(20)
  })
})
