import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Ref } from '../../../../src/domain/digest.ts'
import {
  formatPlaceholder,
  parsePlaceholder,
  placeholderTool,
  type Placeholder,
} from '../../../../src/domain/masking/masks/placeholder.ts'

const digest = 'c'.repeat(64)
const ref = `memex://excerpt/${digest}` as Ref
const stored = { tool: 'file_search', ref, form: 'text', is_error: false, extract: null } as const
const extract = 'memory/extracts/task-123-turn-5.md'

describe('placeholders', () => {
  test.each<[string, Placeholder, string]>([
    ['stored', stored, `[Tool: file_search. Output masked. See ${ref}]`],
    [
      'stored, with an extract',
      { ...stored, extract },
      `[Tool: file_search. Output masked. See extract at ${extract}, raw at ${ref}]`,
    ],
    [
      'stored error',
      { ...stored, is_error: true },
      `[Tool: file_search. Error output masked. See ${ref}]`,
    ],
    [
      'stored, not plain text',
      { ...stored, form: 'json' },
      `[Tool: file_search. Output masked. See ${ref} as json]`,
    ],
    ['no storage', { tool: 'file_search', ref: null }, '[masked: file_search result]'],
  ])('has one form when %s', (_, placeholder, text) => {
    expect(formatPlaceholder(placeholder)).toBe(text)
    expect(parsePlaceholder(text)).toEqual(placeholder)
  })

  test('parses what it formats, in every combination, and stays on one line', () => {
    const tool = fc.stringMatching(/^[A-Za-z0-9_-]{1,128}$/)
    const path = fc.stringMatching(/^[A-Za-z0-9_./-]{1,256}$/)
    const placeholder = fc.oneof(
      fc.record({ tool, ref: fc.constant(null) }),
      fc.record({
        tool,
        ref: fc.stringMatching(/^[0-9a-f]{64}$/).map((hex) => `memex://excerpt/${hex}` as Ref),
        form: fc.constantFrom('text' as const, 'json' as const),
        is_error: fc.boolean(),
        extract: fc.option(path),
      }),
    )
    fc.assert(
      fc.property(placeholder, (parts) => {
        const text = formatPlaceholder(parts)
        expect(parsePlaceholder(text)).toEqual(parts)
        expect(text).not.toMatch(/[\n\r\u2028\u2029]/)
      }),
    )
  })

  test.each([
    '',
    '[masked:  result]',
    '[masked: a b result]',
    '[masked: x result',
    ` [masked: x result]`,
    `[masked: x result]\n`,
    `[Tool: x. Output masked. See memex://excerpt/${'C'.repeat(64)}]`,
    `[Tool: x. Output masked. See memex://excerpt/${'c'.repeat(63)}]`,
    `[Tool: x. Output masked. See ${ref} as  json]`,
    `[Tool: x y. Output masked. See ${ref}]`,
    `[Tool: x. error output masked. See ${ref}]`,
    `[Tool: x. Output masked. See extract at a b, raw at ${ref}]`,
    `[Tool: x. Output masked. See extract at , raw at ${ref}]`,
    `see [Tool: x. Output masked. See ${ref}]`,
    `[Tool: ${'x'.repeat(129)}. Output masked. See ${ref}]`,
  ])('takes nothing else: %j', (text) => {
    expect(parsePlaceholder(text)).toBeNull()
  })

  test('a tool name can not forge: what providers do not allow becomes _', () => {
    expect(placeholderTool('file_search')).toBe('file_search')
    expect(placeholderTool('x]\n[Tool: y. Output masked')).toBe('x___Tool__y__Output_masked')
    expect(placeholderTool('mcp.server:tool')).toBe('mcp_server_tool')
    expect(placeholderTool('é\u2028\ud800')).toBe('___')
    expect(placeholderTool('x'.repeat(500))).toHaveLength(128)
    expect(placeholderTool(null)).toBe('unknown_tool')
    expect(placeholderTool('')).toBe('unknown_tool')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        expect(placeholderTool(name)).toMatch(/^[A-Za-z0-9_-]{1,128}$/)
      }),
    )
  })
})
