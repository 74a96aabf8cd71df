import { describe, expect, it } from 'vitest'
import { eachLine, normalizeDocument } from '../../../../src/domain/fold/markdown/lines.ts'
import { linesOf } from '../../../support/lines-of.ts'

const shown = (document: string): readonly string[] =>
  linesOf(document).map(({ number, place, text }) => `${number} ${place} ${text}`)

const ending = (document: string) => eachLine(normalizeDocument(document), () => {})

describe('eachLine', () => {
  it('counts LF, CRLF and lone CR as line ends, and U+2028, U+0085 and form feeds as text', () => {
    expect(shown('a\nb\r\nc\rd')).toEqual(['1 text a', '2 text b', '3 text c', '4 text d'])
    expect(shown('a\u2028b\u0085c\fd')).toEqual(['1 text a\u2028b\u0085c\fd'])
  })

  it('does not count a BOM as a column, and keeps one inside the text', () => {
    expect(shown('\ufeff# a\ufeff')).toEqual(['1 text # a\ufeff'])
  })

  it('leaves blank lines out and says which lines stand behind one', () => {
    expect(linesOf('a\n\n \t\nb\nc').map((line) => [line.number, line.after_blank])).toEqual([
      [1, true],
      [4, true],
      [5, false],
    ])
  })

  it('tells the lines of fences from those between and behind them', () => {
    expect(shown('```yaml\nid: x\n~~~\n````\nb')).toEqual([
      '1 fence ```yaml',
      '2 code id: x',
      '3 code ~~~',
      '4 fence ````',
      '5 text b',
    ])
    expect(shown('~~~\n```\n~~~')).toEqual(['1 fence ~~~', '2 code ```', '3 fence ~~~'])
    expect(shown('````\n```\n``` x\n````')).toEqual([
      '1 fence ````',
      '2 code ```',
      '3 code ``` x',
      '4 fence ````',
    ])
  })

  it('takes no fence from a code span, from two marks or from four columns of indentation', () => {
    expect(shown('```a```\n``\n    ```\n\t```\n   ```')).toEqual([
      '1 text ```a```',
      '2 text ``',
      '3 text     ```',
      '4 text \t```',
      '5 fence    ```',
    ])
  })

  it('says where a fence and a comment were left open', () => {
    expect(ending('a\n ~~~\nb\n\n')).toMatchObject({
      last_line: 3,
      open_fence: { line: 2, column: 2 },
      open_comment: null,
    })
    expect(ending('a <!-- b\nc\n')).toMatchObject({
      last_line: 1,
      open_comment: { line: 1, column: 3 },
    })
    expect(ending('')).toEqual({ last_line: 1, open_fence: null, open_comment: null })
  })

  it('blanks comments and keeps the columns', () => {
    expect(shown('a <!-- b --> c <!----> d')).toEqual(['1 text a            c         d'])
    expect(shown('a <!-- b\n# c\n--> d\n<!-- e -->\nf')).toEqual([
      '1 text a       ',
      '3 text     d',
      '5 text f',
    ])
  })

  it('keeps a comment mark as text inside backticks and fences', () => {
    expect(shown('`<!--` a\nb `` <!-- ` --> `` <!-- c -->')).toEqual([
      '1 text `<!--` a',
      '2 text b `` <!-- ` --> ``           ',
    ])
    expect(shown('```\n<!-- a\n```\nb')).toEqual([
      '1 fence ```',
      '2 code <!-- a',
      '3 fence ```',
      '4 text b',
    ])
    expect(shown('` <!-- a ` b -->c')).toEqual(['1 text ` <!-- a ` b -->c'])
    expect(shown('` <!-- a -->c')).toEqual(['1 text `           c'])
  })
})
