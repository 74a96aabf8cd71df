import { describe, expect, it } from 'vitest'
import { FOLD, foldWith, judge, issuesOf } from '../../../support/fold-case.ts'

const LAST = 'No console task pays refunds [FINDING-021, GAP-003].'
const issues = (last: string) =>
  issuesOf(judge({ fold_md: foldWith(LAST, last) }), 'sentences_cite_findings')

describe('sentences_cite_findings', () => {
  it.each([
    'No console task pays refunds [FINDING-021].',
    'No console task pays refunds. [FINDING-021]',
    'No console task pays refunds (FINDING-021).',
    'No console task pays refunds `FINDING-021`.',
    'No task pays [FINDING-017/021].',
    'No task pays [FINDING-017..021].',
    'foo.rb:42 since v1.2.3, e.g. Dr. Roe in A#b at https://a.example/b.c?d, pays 3.14… [FINDING-021].',
    '没有任务付款。[FINDING-021]',
    '- One pays [FINDING-021]\n- Another pays [FINDING-017]',
  ])('accepts %j', (last) => {
    expect(issues(last)).toEqual([])
  })

  it.each([
    ['No console task pays refunds.', 'sentence_uncited 12:16'],
    ['No console task pays refunds [].', 'sentence_uncited 12:16'],
    ['No task pays <!-- [FINDING-021] -->.', 'sentence_uncited 12:16'],
    ['No task pays [FINDING-XXX].', 'sentence_uncited 12:16'],
    ['No task pays [FINDІNG-021].', 'sentence_uncited 12:16'],
    ['No task pays [GAP-003].', 'cites_only_gap 12:16 GAP-003'],
    ['No task pays. [GAP-003]', 'cites_only_gap 12:16 GAP-003'],
    ['No task pays [FINDING-0210].', 'citation_unknown 12:16 FINDING-0210'],
    ['No task pays [FINDING-21, GAP-003].', 'citation_unknown 12:16 FINDING-21'],
    ['One [FINDING-021]. Two. Three [FINDING-017].', 'sentence_uncited 12:35'],
    ['One [FINDING-021]。Two。Three [FINDING-017]。', 'sentence_uncited 12:34'],
    ['One [FINDING-021]\n\nTwo\nthree', 'sentence_uncited 14:1'],
    ['- One [FINDING-021]\n- Two', 'sentence_uncited 13:3'],
    ['One. FINDING-021 shows two.', 'sentence_uncited 12:16'],
    ['One [FINDING-021].\n```\nTwo.\n```', 'sentence_uncited 14:1'],
  ])('rejects %j', (last, issue) => {
    expect(issues(last)).toEqual([issue])
  })

  it('takes a heading for a sentence, in a fence or not, but for one that asks', () => {
    expect(issues(`${LAST}\n\n### DT-2 — which are guarded?`)).toEqual([])
    expect(issues(`${LAST}\n\n### 2. Which are guarded?`)).toEqual([])
    expect(issues(`${LAST}\n\n### All are free [FINDING-021]`)).toEqual([])
    expect(issues(`${LAST}\n\n### All are free. Or not?`)).toEqual([
      'sentence_uncited 14:5',
      'sentence_uncited 14:19',
    ])
    expect(issues(`${LAST}\n\n~~~\n## 3. Findings index\n~~~`)).toEqual(['sentence_uncited 15:7'])
  })

  it('rejects an answer without a sentence', () => {
    const answer = FOLD.slice(FOLD.indexOf('PayRefund'), FOLD.indexOf('## 3.'))
    for (const nothing of ['', '[FINDING-017]\n\n', '<!-- none -->\n\n']) {
      const verdict = judge({ fold_md: foldWith(answer, nothing) })
      expect(issuesOf(verdict, 'sentences_cite_findings')).toEqual(['answer_empty 8:1'])
      expect(verdict.counts.sentences).toBe(0)
    }
  })

  it('quotes the sentence and names the findings that are not cited', () => {
    const [issue] =
      judge({ fold_md: foldWith(' [FINDING-021, GAP-003]', '') }).checks.find(
        ({ id }) => id === 'sentences_cite_findings',
      )?.issues ?? []
    expect(issue?.message).toContain('"No console task pays refunds."')
    expect(issue?.hint).toContain('FINDING-021')
    const long = judge({ fold_md: foldWith(LAST, `${'a'.repeat(79)}😀 b.`) })
    expect(JSON.stringify(long)).toContain(`\\"${'a'.repeat(79)}…\\"`)
  })
})
