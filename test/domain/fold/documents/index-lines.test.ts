import { describe, expect, it } from 'vitest'
import { readIndex } from '../../../../src/domain/fold/documents/index-lines.ts'
import { linesOf } from '../../../support/lines-of.ts'

const read = (section: string) => readIndex(linesOf(section))
const entries = (section: string): readonly string[] =>
  read(section).entries.map(
    ({ id, tier, anchor, ruled_out, line, column, tier_column, anchor_column }) =>
      `${id} ${tier} ${anchor}${ruled_out ? ' ruled_out' : ''} ${line}:${column},${tier_column},${anchor_column}`,
  )
const faults = (section: string): readonly string[] =>
  read(section).faults.map(({ code, id, line, column }) => `${code} ${line}:${column} ${id}`)

describe('readIndex', () => {
  it.each([
    ['FINDING-017 | H | a/b.rb:42-78', 'FINDING-017 H a/b.rb:42-78 1:1,15,19'],
    ['- FINDING-1|M|a.rb:4', 'FINDING-1 M a.rb:4 1:3,13,15'],
    ['* **FINDING-1** | `L` | `a.rb:4`', 'FINDING-1 L a.rb:4 1:5,20,26'],
    ['1. [FINDING-1]\t|\tH\t|\ta.rb:4 ', 'FINDING-1 H a.rb:4 1:5,18,22'],
    ['FINDING-1 | M | app/**  (ruled_out)', 'FINDING-1 M app/** ruled_out 1:1,13,17'],
    ['FINDING-1 | M | `**/*.rb` (ruled out)', 'FINDING-1 M **/*.rb ruled_out 1:1,13,18'],
    ['FINDING-1 | M | (ruled_out)', 'FINDING-1 M  ruled_out 1:1,13,17'],
    ['FINDING-1 | M | a.rb:1–2', 'FINDING-1 M a.rb:1-2 1:1,13,17'],
  ])('reads %j', (line, entry) => {
    expect(entries(line)).toEqual([entry])
    expect(faults(line)).toEqual([])
  })

  it.each([
    ['Prose.', 'line_malformed 1:1 null'],
    ['ID | tier | anchor', 'line_malformed 1:1 null'],
    ['| FINDING-1 | H | a.rb:1 |', 'line_malformed 1:1 null'],
    ['GAP-1 | H | a.rb:1', 'line_malformed 1:1 null'],
    ['see FINDING-1 | H | a.rb:1', 'line_malformed 1:1 null'],
    ['FINDING-1 and more | H | a.rb:1', 'line_malformed 1:1 FINDING-1'],
    ['FINDING-1/2 | H | a.rb:1', 'line_malformed 1:1 FINDING-1'],
    ['FINDING-1 | H', 'line_malformed 1:1 FINDING-1'],
    ['- FINDING-1', 'line_malformed 1:3 FINDING-1'],
    ['FINDING-1 | X | a.rb:1', 'tier_invalid 1:13 FINDING-1'],
    ['FINDING-1 | h | a.rb:1', 'tier_invalid 1:13 FINDING-1'],
    ['FINDING-1 | H/M | a.rb:1', 'tier_invalid 1:13 FINDING-1'],
    ['FINDING-1 | H | a.rb:1 writes refunds', 'claim_text 1:24 FINDING-1'],
    ['FINDING-1 | H | `a.rb:1` — writes', 'claim_text 1:26 FINDING-1'],
    ['FINDING-1 | H | a.rb:1 (ruled_out) x', 'claim_text 1:36 FINDING-1'],
    ['FINDING-1 | H | a.rb:1, b.rb:2', 'claim_text 1:25 FINDING-1'],
    ['FINDING-1 | H | a.rb:1 | memex', 'claim_text 1:26 FINDING-1'],
  ])('finds fault with %j', (line, fault) => {
    expect(faults(line)).toEqual([fault])
    expect(entries(line)).toEqual([])
  })

  it('reads entries in a fence, and passes over rules and none', () => {
    expect(entries('```\nFINDING-1 | H | a.rb:1\n```\n---\n- None.\n(none)\nNo findings')).toEqual([
      'FINDING-1 H a.rb:1 2:1,13,17',
    ])
    expect(faults('None.')).toEqual([])
  })

  it('wants a flat list, however far it is indented as a whole', () => {
    expect(faults('  - FINDING-1 | H | a.rb:1\n  - FINDING-1 | H | b.rb:1')).toEqual([])
    expect(faults('- FINDING-1 | H | a.rb:1\n  - FINDING-1 | H | b.rb:1')).toEqual([
      'line_nested 2:3 FINDING-1',
    ])
  })

  it('lists the ids that begin a line, well formed or not', () => {
    const { listed } = read('- FINDING-1 | H | a\nFINDING-2\nof FINDING-3\nFINDING-1 | H | b')
    expect([...listed]).toEqual([
      ['FINDING-1', { line: 1, column: 3 }],
      ['FINDING-2', { line: 2, column: 1 }],
    ])
  })
})
