import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Ref } from '../../../../src/domain/digest.ts'
import {
  extractPath,
  refusedBullets,
  renderExtract,
} from '../../../../src/domain/memory/entries/extract.ts'
import type { Extract } from '../../../../src/domain/memory/entries/extract.ts'
import { parseMemoryPath } from '../../../../src/domain/memory/files/memory-path.ts'

const extract: Extract = {
  task: 'task-123',
  turn: 5,
  call_id: 'toolu_01',
  tool: 'file_search',
  bullets: ['one fact', 'another fact', 'a third fact'],
  ref: `memex://excerpt/${'a'.repeat(64)}` as Ref,
  at: '2026-11-30T15:04:05.006Z',
}

describe('refusedBullets', () => {
  it.each([3, 4, 5])('takes %i bullets', (count) => {
    expect(refusedBullets(Array.from({ length: count }, () => 'a fact'))).toBeNull()
  })

  it.each([0, 1, 2, 6, 7])('refuses %i bullets', (count) => {
    expect(refusedBullets(Array.from({ length: count }, () => 'a fact'))).toMatchObject({
      code: 'bullets_out_of_range',
      detail: `${count} bullets`,
    })
  })

  it('refuses a bullet that says nothing', () => {
    expect(refusedBullets(['a', 'b', 'c', ' \n '])).toMatchObject({
      code: 'bullets_out_of_range',
      detail: '3 bullets, and 1 blank',
    })
  })
})

describe('extractPath', () => {
  it('gives the path of the seed, numbered for the parallel calls of a turn', () => {
    expect(extractPath('task-123', 5, 1)).toBe('extracts/task-123-turn-5.md')
    expect(extractPath('task-123', 5, 2)).toBe('extracts/task-123-turn-5-2.md')
    expect(extractPath('task-123', 5, 3)).toBe('extracts/task-123-turn-5-3.md')
  })

  it('gives a valid memory path that differs for each task, turn and place', () => {
    const task = fc.constantFrom('a', 'a-turn-1', 'a-turn-1-2', 'A', 'turn', '1', 'x.md', '0-turn-')
    const place = fc.tuple(task, fc.nat(12), fc.integer({ min: 1, max: 12 }))
    fc.assert(
      fc.property(place, place, (one, other) => {
        const path = extractPath(...one)
        expect(parseMemoryPath(path)).toEqual({ file: 'extract', path })
        expect(path === extractPath(...other)).toBe(one.join(' ') === other.join(' '))
      }),
    )
  })
})

describe('renderExtract', () => {
  it('renders a heading, a timestamped line and the bullets', () => {
    expect(renderExtract(extract)).toBe(
      [
        '# task-123, turn 5',
        '',
        `[2026-11-30T15:04:05.006Z] file_search, call toolu_01, raw at memex://excerpt/${'a'.repeat(64)}`,
        '',
        '- one fact',
        '- another fact',
        '- a third fact',
        '',
      ].join('\n'),
    )
  })

  it.each([
    'toolu_01A09q90qw90lq917835lq9',
    'call_abc|fc_123',
    'functions.grep:0',
    'chatcmpl-tool-8c1f',
    'AbC+dE==',
    'user@host~1',
  ])('writes the call id %s unchanged', (call_id) => {
    expect(renderExtract({ ...extract, call_id })).toContain(`, call ${call_id}, raw at memex://`)
  })

  it.each(['c1, raw at memex://excerpt/', 'memex://excerpt/', '](memex://excerpt/', '\ud800 '])(
    'lets no call id forge a ref to raw bytes: %j',
    (forged) => {
      const call_id = `${forged}${'d'.repeat(64)}`
      const text = renderExtract({ ...extract, call_id, ref: null })
      expect(text).not.toContain('memex://')
      expect(text.split('\n')[2]).toMatch(/^\[[^\]]+\] file_search, call [A-Za-z0-9_.%:(-]+$/)
    },
  )

  it('renders as many bullets as were given and one heading, whatever the texts contain', () => {
    const hostile = fc.constantFrom(
      '\n',
      '\r',
      '\u2028',
      '\u0085',
      '# h',
      '- b',
      '## ',
      '[x] ',
      'w',
    )
    const text = fc.array(hostile, { minLength: 1 }).map((pieces) => `${pieces.join('')}w`)
    fc.assert(
      fc.property(fc.array(text, { minLength: 3, maxLength: 5 }), text, (bullets, call_id) => {
        const lines = renderExtract({ ...extract, bullets, call_id }).split(/[\n\r\u2028\u0085]/)
        expect(lines.filter((line) => line.startsWith('- '))).toHaveLength(bullets.length)
        expect(lines.filter((line) => line.startsWith('#'))).toEqual(['# task-123, turn 5'])
        expect(lines.filter((line) => line.startsWith('['))).toHaveLength(1)
        expect(lines).toHaveLength(bullets.length + 5)
        for (const line of lines) expect(line).not.toMatch(/^- (?:#|-|>|\[)/)
      }),
    )
  })
})
