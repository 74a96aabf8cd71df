import { describe, expect, it } from 'vitest'
import { parseFold } from '../../../../src/domain/fold/documents/fold-document.ts'

const shown = (document: string): readonly string[] =>
  parseFold(document).sections.map(
    ({ number, heading, text }) =>
      `${number} ${heading.line}:${heading.column} ${JSON.stringify(text)}`,
  )

describe('parseFold', () => {
  it.each([
    '# Mission header',
    '###### 1. Mission header ######',
    '## 1) mission HEADER:',
    '## §1 — **Mission header**',
    '## Section 1: Mission header',
    '## 1. Mission header (verbatim)',
    '## Header',
    '1. Mission header',
    '**Mission header**',
    '**1. Mission header**',
    'Mission header\n---',
    '1. Mission header\n======',
  ])('takes %j for the first section', (heading) => {
    expect(shown(`${heading}\nx`)).toEqual(['1 1:1 "x"'])
  })

  it.each([
    'Mission header',
    '    ## 1. Mission header',
    '\t## Mission header',
    '#Mission header',
    '####### Mission header',
    '> ## Mission header',
    '- Mission header',
    '## Mission headers',
    '## Mission\u00a0header',
    '## Mission header\u2028',
    '```\n## Mission header\n```',
    '~~~\n## Mission header\n~~~',
    '<!-- ## Mission header -->',
    'x\u2028## Mission header',
  ])('takes %j for none', (text) => {
    expect(shown(text)).toEqual([])
  })

  it('ends a section where the next begins, and leaves out the blanks around its text', () => {
    expect(
      shown('# Fold\n\n## Mission header\n\n a\n\nb \n\n\n## Findings index\n## Gaps\n### Sub\nc'),
    ).toEqual(['1 3:1 "a\\n\\nb"', '3 10:1 ""', '4 11:1 "### Sub\\nc"'])
  })

  it('takes a near title in a deeper heading for a part of its section', () => {
    expect(shown('## Decision-ready answer\n### Gaps\nx\n## Answer')).toEqual([
      '2 1:1 "### Gaps\\nx"',
      '2 4:1 ""',
    ])
  })

  it('says what stands above the first section, and which headings are strays', () => {
    const fold = parseFold('# T\n\n  Here it is.\n## Mission header\n## Notes\n### Sub\n# X')
    expect(fold.preamble).toEqual({ line: 3, column: 3 })
    expect(fold.strays).toEqual([
      { line: 5, column: 1, title: 'Notes' },
      { line: 7, column: 1, title: 'X' },
    ])
    expect(parseFold('Mission header\n---\nx').preamble).toBeNull()
  })

  it('keeps where each id is first named', () => {
    expect([...parseFold('x FINDING-1\nFINDING-1/2 GAP-3').ids.values()]).toEqual([
      { kind: 'FINDING', id: 'FINDING-1', line: 1, column: 3 },
      { kind: 'FINDING', id: 'FINDING-2', line: 2, column: 11 },
      { kind: 'GAP', id: 'GAP-3', line: 2, column: 13 },
    ])
  })
})
