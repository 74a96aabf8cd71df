import { describe, expect, it } from 'vitest'
import { harmless, harmlessLine } from '../../src/domain/terminal.ts'

describe('harmless', () => {
  it('replaces what moves, colours or turns a terminal, and keeps lines, tabs and letters', () => {
    expect(harmless('a\tb\n\u001b[31mred\r\u009b\u202e\u2066é漢🦊\ud800')).toBe(
      'a\tb\n\ufffd[31mred\ufffd\ufffd\ufffd\ufffdé漢🦊\ufffd',
    )
  })
})

describe('harmlessLine', () => {
  it('puts it on one line', () => {
    expect(harmlessLine('a\r\n\n  b\u2028\u001b]0;c\u0007')).toBe('a b \ufffd]0;c\ufffd')
  })
})
