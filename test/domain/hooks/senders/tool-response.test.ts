import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clipped,
  HEAD_LINES,
  responseSource,
  responseTexts,
  TAIL_LINES,
} from '../../../../src/domain/hooks/senders/tool-response.ts'

const PLACEHOLDER = `[Tool: Bash. Output masked. See memex://excerpt/${'a'.repeat(64)}]`
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n')

const RESPONSES = {
  Bash: { stdout: lines(9), stderr: 'warning', interrupted: false, isImage: false },
  Read: {
    type: 'text',
    file: { filePath: '/a.ts', content: lines(9), numLines: 9, startLine: 1, totalLines: 9 },
  },
  Grep: {
    mode: 'content',
    numFiles: 2,
    filenames: ['a.ts', 'b.ts'],
    content: lines(9),
    numLines: 9,
  },
  WebFetch: {
    bytes: 9,
    code: 200,
    codeText: 'OK',
    result: lines(9),
    durationMs: 5,
    url: 'https://example.com/',
  },
  mcp__files__read: [
    { type: 'text', text: lines(9) },
    { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    { type: 'text', text: 'more' },
  ],
  'mcp__files__read, wrapped': { content: [{ type: 'text', text: lines(9) }], isError: false },
  'a plain text': lines(9),
}

const TEXTS: Record<keyof typeof RESPONSES, string[]> = {
  Bash: ['/tool_response/stdout', '/tool_response/stderr'],
  Read: ['/tool_response/file/content'],
  Grep: ['/tool_response/content'],
  WebFetch: ['/tool_response/result'],
  mcp__files__read: ['/tool_response/0/text', '/tool_response/2/text'],
  'mcp__files__read, wrapped': ['/tool_response/content/0/text'],
  'a plain text': ['/tool_response'],
}

describe('the texts of a tool response', () => {
  it.each(Object.entries(RESPONSES))(
    'of %s are found where the model reads them',
    (tool, response) => {
      const found = responseTexts(response)
      expect(found.map(({ pointer }) => pointer)).toEqual(TEXTS[tool as keyof typeof RESPONSES])
    },
  )

  it.each([
    ['an image from Bash', { stdout: 'data:image/png;base64,AAAA', stderr: '', isImage: true }],
    ['an image from Read', { type: 'image', file: { base64: 'AAAA', type: 'image/png' } }],
    ['names of files', { filenames: ['a', 'b'], numFiles: 2 }],
    ['an edit', { filePath: 'a', originalFile: lines(99), oldString: 'a', newString: 'b' }],
    ['nothing', null],
    ['numbers', [1, 2]],
  ])('are none in %s', (_what, response) => {
    expect(responseTexts(response)).toEqual([])
  })

  it.each(Object.entries(RESPONSES))(
    'of %s are replaced, and nothing else is',
    (_tool, response) => {
      const payload = JSON.stringify({ tool_name: 'x', tool_response: response, z: 1 })
      const texts = responseTexts(response).map((one) => ({ ...one, text: `<${one.text.length}>` }))
      const answer = JSON.parse(responseSource(payload, texts)) as unknown
      expect(shapeOf(answer)).toEqual(shapeOf(response))
      expect(responseTexts(answer)).toEqual(texts)
      const back = responseSource(
        `{"tool_response":${JSON.stringify(answer)}}`,
        responseTexts(response),
      )
      expect(JSON.parse(back)).toEqual(response)
    },
  )

  it('leave numbers and escapes of everything else as the tool wrote them', () => {
    const payload =
      '{"tool_response" : {"stdout":"long","a":12345678901234567890,"b":1.0,"c":"\\u0041"},"x":2}'
    expect(responseSource(payload, [{ pointer: '/tool_response/stdout', text: 'short "x"' }])).toBe(
      '{"stdout":"short \\"x\\"","a":12345678901234567890,"b":1.0,"c":"\\u0041"}',
    )
  })
})

describe('a clipped text', () => {
  it('is its first 40 and last 20 lines around the placeholder', () => {
    const text = lines(500)
    const result = clipped(text, PLACEHOLDER)?.split('\n') ?? []
    expect(result).toHaveLength(HEAD_LINES + 1 + TAIL_LINES)
    expect(result.slice(0, 40)).toEqual(text.split('\n').slice(0, 40))
    expect(result[40]).toBe(PLACEHOLDER)
    expect(result.slice(41)).toEqual(text.split('\n').slice(-20))
  })

  it('counts a last line end to the line that it ends', () => {
    const result = clipped(`${lines(500)}\n`, PLACEHOLDER)?.split('\n') ?? []
    expect(result.at(-1)).toBe('')
    expect(result.at(-2)).toBe('line 500')
    expect(result[41]).toBe('line 481')
  })

  it('is cut by characters where the lines are long, and never inside a character', () => {
    const text = '😀'.repeat(50_000)
    const result = clipped(text, PLACEHOLDER) ?? ''
    expect(result.isWellFormed()).toBe(true)
    expect(result.length).toBeLessThan(12_300)
    expect(result.split('\n')[1]).toBe(PLACEHOLDER)
  })

  it('is none where the text is not longer', () => {
    expect(clipped(lines(60), PLACEHOLDER)).toBeNull()
    expect(clipped('', PLACEHOLDER)).toBeNull()
    expect(clipped('x'.repeat(12_000), PLACEHOLDER)).toBeNull()
  })

  it('begins and ends as the text does, and is shorter', () => {
    const text = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 300 })
    fc.assert(
      fc.property(
        text.map((all) => all.join('\n')),
        (whole) => {
          const result = clipped(whole, PLACEHOLDER)
          if (result === null) return
          expect(result.length).toBeLessThan(whole.length)
          const at = result.indexOf(PLACEHOLDER)
          expect(whole.startsWith(result.slice(0, at - 1))).toBe(true)
          expect(whole.endsWith(result.slice(at + PLACEHOLDER.length + 1))).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Types and member names, without the values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shapeOf(one)]))
}
