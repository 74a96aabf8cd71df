import { describe, expect, test } from 'vitest'
import { countRequest, imageTokens } from '../../../src/domain/transcript/count.ts'
import { detectFormat } from '../../../src/domain/transcript/detect.ts'
import { look, value } from '../../support/masking.ts'
import { anthropicTurn, openaiTurn } from '../../support/transcripts.ts'

const characters = (text: string): number => text.length
const tokensOf = (request: unknown): number =>
  countRequest(value(detectFormat(request)), request, characters).tokens

describe('counting a request', () => {
  test('counts instructions, tools, texts, thinking, calls with their input, and results', () => {
    const request = {
      system: [{ type: 'text', text: '12345' }],
      tools: [{ name: 'read' }],
      messages: [
        { role: 'user', content: 'abc' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'not counted' },
            { type: 'text', text: 'ok' },
            { type: 'tool_use', id: 'not counted', name: 'read', input: { a: 1 } },
          ],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'not counted',
              content: [{ type: 'text', text: '1234' }],
            },
          ],
        },
      ],
    }
    expect(tokensOf(request)).toBe(5 + '{"name":"read"}'.length + 3 + 2 + 2 + 4 + 7 + 4)
  })

  test('counts each text once and in transcript order', () => {
    const seen: string[] = []
    const messages = [
      { role: 'system', content: 's' },
      ...openaiTurn({ id: 'a', content: 'A' }, { id: 'b', content: 'B' }),
      { role: 'assistant', content: 'end', reasoning_content: 'why' },
    ]
    const request = { messages, tools: [{ t: 1 }] }
    const lens = value(detectFormat(request, 'openai_chat'))
    countRequest(lens, request, (text) => seen.push(text))
    expect(seen).toEqual([
      '{"t":1}',
      's',
      'read',
      '{"path":"a"}',
      'read',
      '{"path":"b"}',
      'A',
      'B',
      'end',
      'why',
    ])
  })

  test('says what each result costs and what stands before it', () => {
    const source = JSON.stringify(
      anthropicTurn({ id: 'a', content: 'abc' }, { id: 'b', content: 'de' }),
    )
    const { counted } = look(source, '', characters)
    expect([...counted.by_result]).toEqual([
      ['/1/content/0/content', 3],
      ['/1/content/1/content', 2],
    ])
    expect(counted.before_result.get('/1/content/1/content')).toBe(counted.tokens - 2)
    expect(counted.items.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(counted.tokens)
  })

  test('counts an image by its size, never by its base64', () => {
    const png = (width: number, height: number, padding: number): string => {
      const bytes = new Uint8Array(32 + padding)
      const view = new DataView(bytes.buffer)
      view.setUint32(0, 0x89504e47)
      view.setUint32(16, width)
      view.setUint32(20, height)
      return Buffer.from(bytes).toString('base64')
    }
    const message = (data: string) => [
      {
        role: 'user',
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }],
      },
    ]
    expect(tokensOf(message(png(750, 100, 10)))).toBe(100)
    expect(tokensOf(message(png(750, 100, 300_000)))).toBe(100)
    expect(tokensOf(message('not an image'))).toBe(1600)
    const url = `data:image/png;base64,${png(75, 100, 5000)}`
    const openai = (detail: string) => [
      { role: 'user', content: [{ type: 'image_url', image_url: { url, detail } }] },
    ]
    expect(tokensOf(openai('auto'))).toBe(10)
    expect(tokensOf(openai('low'))).toBe(85)
  })

  test('a document counts its text, or as an image where it is not text', () => {
    const message = (source: unknown) => [
      { role: 'user', content: [{ type: 'document', title: 'T', source }] },
    ]
    expect(tokensOf(message({ type: 'text', data: 'abcd' }))).toBe(5)
    expect(tokensOf(message({ type: 'content', content: [{ type: 'text', text: 'ab' }] }))).toBe(3)
    expect(tokensOf(message({ type: 'base64', data: 'A'.repeat(9000) }))).toBe(1601)
  })

  test('an unknown block counts its JSON', () => {
    const block = { type: 'novel', words: ['a', 'b'] }
    expect(tokensOf([{ role: 'user', content: [block] }])).toBe(JSON.stringify(block).length)
  })
})

describe('the size rule', () => {
  test.each([
    [{ width: 200, height: 200 }, 54],
    [{ width: 1000, height: 1000 }, 1334],
    [{ width: 8000, height: 8000 }, 1600],
    [{ width: 8000, height: 100 }, 41],
    [{ width: 1, height: 1 }, 1],
    [{}, 1600],
    [{ detail: 'low' }, 85],
  ])('%j', (shape, tokens) => {
    expect(imageTokens(shape)).toBe(tokens)
  })
})
