import { describe, expect, it } from 'vitest'
import { FOLD, foldWith, issuesOf, judge } from '../../../support/fold-case.ts'

const issues = (fold_md: string) => issuesOf(judge({ fold_md }), 'sections_in_order')
const parts = FOLD.split(/^(?=## )/m)
const inOrder = (...order: readonly number[]) => order.map((number) => parts[number - 1]).join('')

describe('sections_in_order', () => {
  it.each([
    ['as plain lines, as the seed shows them', FOLD.replaceAll('## ', '')],
    ['as deeper headings', FOLD.replaceAll('## ', '#### ')],
    ['without numbers', FOLD.replaceAll(/## \d\. /g, '## ')],
    ['in bold', FOLD.replaceAll(/## (.*)/g, '**$1**')],
    ['underlined', FOLD.replaceAll(/## (.*)/g, '$1\n-----')],
    ['below a title', `# Fold of 20261130-001\n\n${FOLD}`],
    ['with deeper headings inside', foldWith('GAP-003 —', '### Open\n\nGAP-003 —')],
    [
      'with a heading in a fence',
      foldWith('GAP-003 —', '```\n## 5. Escalation log\n```\nGAP-003 —'),
    ],
    ['with a heading in tildes', foldWith('GAP-003 —', '~~~\n# Notes\n~~~\nGAP-003 —')],
    ['with a heading in a comment', foldWith('GAP-003 —', '<!--\n# Notes\n-->\nGAP-003 —')],
    ['between rules', FOLD.replaceAll('\n## ', '\n---\n\n## ')],
  ])('accepts the five sections %s', (_form, fold_md) => {
    expect(judge({ fold_md }).accepted).toBe(true)
  })

  it.each([
    [1, 'section_missing 1:1 1'],
    [2, 'section_missing 8:1 2'],
    [3, 'section_missing 14:1 3'],
    [4, 'section_missing 20:1 4'],
    [5, 'section_missing 22:1 5'],
  ])('rejects a fold without section %i', (missing, issue) => {
    expect(issues(inOrder(...[1, 2, 3, 4, 5].filter((number) => number !== missing)))).toEqual([
      issue,
    ])
  })

  it('rejects sections that stand twice or out of order', () => {
    expect(issues(inOrder(1, 2, 3, 4, 5, 4))).toEqual(['section_repeated 27:1 4'])
    expect(issues(inOrder(1, 2, 4, 3, 5))).toEqual(['section_out_of_order 18:1 3'])
    expect(issues(inOrder(2, 1, 3, 4, 5))).toEqual(['section_out_of_order 7:1 1'])
    expect(issues(inOrder(5, 1, 2, 3, 4))).toHaveLength(4)
  })

  it('takes no heading from a fence, from a comment, or from behind U+2028', () => {
    const heading = '## 3. Findings index'
    for (const hidden of [`\`\`\`\n${heading}\n\`\`\``, `~~~\n${heading}\n~~~`])
      expect(issues(foldWith(heading, hidden))).toEqual(['section_missing 22:1 3'])
    expect(issues(foldWith(heading, `<!-- ${heading} -->`))).toEqual(['section_missing 20:1 3'])
    expect(issues(foldWith(`\n\n${heading}`, `\u2028\u2028${heading}`))).toEqual([
      'section_missing 18:1 3',
    ])
  })

  it.each([
    ['```markdown', '```'],
    ['Here is the fold:\n\n~~~~', '~~~~'],
    ['```', ''],
  ])('says of a fold in a fence as a whole, with every issue, that it is: %j', (open, close) => {
    const line = open.split('\n').length
    for (const fold of [FOLD, FOLD.replaceAll('## ', '')]) {
      const verdict = judge({ fold_md: `${open}\n${fold}${close}\n` })
      expect(issuesOf(verdict, 'sections_in_order')).toEqual([`fold_fenced ${line}:1`])
      const hints = verdict.checks.flatMap(({ issues: found }) => found.map(({ hint }) => hint))
      expect(new Set(hints)).toEqual(
        new Set(['Take away the lines that open and close the fence around the fold.']),
      )
    }
  })

  it('rejects what was left open, where it began', () => {
    expect(issues(foldWith('## 3.', '```yaml\n## 3.'))).toEqual([
      'section_missing 27:1 3',
      'section_missing 27:1 4',
      'section_missing 27:1 5',
      'fence_unclosed 14:1',
    ])
    expect(issues(foldWith('ET-1 |', '~~~\nET-1 |'))).toEqual(['fence_unclosed 26:1'])
    expect(issues(`${FOLD}x <!-- y`)).toEqual(['comment_unclosed 27:3'])
  })

  it('rejects other sections, and warns of text above the first', () => {
    expect(issues(`${FOLD}\n## Notes\nx`)).toEqual(['section_unknown 28:1'])
    expect(issues(`${FOLD}\n# Notes\nx`)).toEqual(['section_unknown 28:1'])
    expect(judge({ fold_md: `Here is the fold.\n\n${FOLD}` })).toMatchObject({
      accepted: true,
      warnings: [{ code: 'text_before_sections' }],
    })
  })
})
