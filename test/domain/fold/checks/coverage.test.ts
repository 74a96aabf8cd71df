import { describe, expect, it } from 'vitest'
import {
  FINDINGS,
  FOLD,
  foldWith,
  issuesOf,
  judge,
  withChange,
} from '../../../support/fold-case.ts'

const INDEX_21 = 'FINDING-021 | M | lib/tasks/**  (ruled_out)'
const GAP_LINE = 'GAP-003 — open: whether a retry checks the limit again needs a run.'

const indexIssues = (fold_md: string, findings_md = FINDINGS) =>
  issuesOf(judge({ fold_md, findings_md }), 'findings_indexed')
const gapIssues = (fold_md: string, findings_md = FINDINGS) =>
  issuesOf(judge({ fold_md, findings_md }), 'gaps_listed')
const inventedIssues = (fold_md: string) => issuesOf(judge({ fold_md }), 'no_invented_ids')

describe('findings_indexed', () => {
  it.each([
    ['its line is gone', ''],
    ['only a longer id is there', 'FINDING-0210 | M | lib/tasks/** (ruled_out)'],
    ['only a shorter id is there', 'FINDING-02 | M | lib/tasks/** (ruled_out)'],
    ['its line is a comment', `<!-- ${INDEX_21} -->`],
    ['its line is in an open comment', `<!-- ${INDEX_21}`],
    ['a digit is full-width', INDEX_21.replace('021', '0２1')],
    ['its last digit is full-width', INDEX_21.replace('021', '02１')],
    ['a letter is Cyrillic', INDEX_21.replace('FINDING', 'FINDІNG')],
    ['its hyphen is U+2011', INDEX_21.replace('-', '\u2011')],
    ['a zero-width space is in it', INDEX_21.replace('021', '02\u200b1')],
    ['a zero-width joiner ends it', INDEX_21.replace('021', '021\u200d')],
    ['a BOM begins it', `\ufeff${INDEX_21}`],
    ['it stands behind U+2028', `FINDING-017 | H | app/jobs/pay_refund.rb:42-78\u2028${INDEX_21}`],
    ['another begins its line', `FINDING-017 | H | app/jobs/pay_refund.rb:42-78 ${INDEX_21}`],
    ['it is in small letters', INDEX_21.replace('FINDING', 'finding')],
    ['it is a template', INDEX_21.replace('021', 'XXX')],
  ])('rejects a finding where %s', (_case, line) => {
    expect(indexIssues(foldWith(INDEX_21, line))).toEqual(['finding_missing 14:1 FINDING-021'])
  })

  it('wants every id of findings.md: in prose, in yaml fences, in lists that share a prefix', () => {
    const more = `${FINDINGS}
FINDING-1 was confirmed via FINDING-0025/0026.

\`\`\`yaml
- id: FINDING-300
\`\`\`

<!-- FINDING-400 --> FINDING-XXX FINDING-<NNN> FINDING-5a
`
    expect(indexIssues(FOLD, more)).toEqual([
      'finding_missing 14:1 FINDING-1',
      'finding_missing 14:1 FINDING-0025',
      'finding_missing 14:1 FINDING-0026',
      'finding_missing 14:1 FINDING-300',
    ])
  })

  it('does not take FINDING-10 for FINDING-1, nor FINDING-0025 for FINDING-002', () => {
    for (const [declared, folded] of [
      ['FINDING-1', 'FINDING-10'],
      ['FINDING-002', 'FINDING-0025'],
    ] as const) {
      const verdict = judge({
        findings_md: FINDINGS.replaceAll('FINDING-017', declared),
        fold_md: FOLD.replaceAll('FINDING-017', folded),
      })
      expect(issuesOf(verdict, 'findings_indexed')).toEqual([`finding_missing 14:1 ${declared}`])
      expect(issuesOf(verdict, 'no_invented_ids')).toEqual([`id_invented 10:52 ${folded}`])
    }
  })

  it('rejects findings whose comment never ends', () => {
    expect(indexIssues(FOLD, `${FINDINGS}\n<!-- FINDING-022`)).toEqual(['comment_unclosed 14:1'])
  })
})

describe('gaps_listed', () => {
  it.each([
    'GAP-003: open',
    '- **GAP-003** (repo-silent): nothing there',
    '- [ ] `GAP-003` needs a run',
    '| GAP-003 | open |',
    '### GAP-003 — open',
    'GAP-003/004 open'.replace('/004', ''),
    'GAP-003 未解決',
    '```\nGAP-003 | open\n```',
  ])('accepts %j', (line) => {
    expect(gapIssues(foldWith(GAP_LINE, line))).toEqual([])
  })

  it.each([
    ['None.', 'gap_missing 20:1 GAP-003'],
    ['GAP-0030: open', 'gap_missing 20:1 GAP-003'],
    ['GAP-03: open', 'gap_missing 20:1 GAP-003'],
    ['The question of GAP-003 is open.', 'gap_missing 20:1 GAP-003'],
    ['<!-- GAP-003: open -->', 'gap_missing 20:1 GAP-003'],
    ['GАP-003: open', 'gap_missing 20:1 GAP-003'],
    ['GAP-00３: open', 'gap_missing 20:1 GAP-003'],
    ['GAP-003', 'gap_without_status 22:1 GAP-003'],
    ['- **GAP-003**:', 'gap_without_status 22:5 GAP-003'],
    ['GAP-003 — …', 'gap_without_status 22:1 GAP-003'],
    ['GAP-003 <!-- open -->', 'gap_without_status 22:1 GAP-003'],
    ['- GAP-003\n  open', 'gap_without_status 22:3 GAP-003'],
    ['GAP-003 FINDING-017', 'gap_without_status 22:1 GAP-003'],
  ])('rejects %j', (line, issue) => {
    expect(gapIssues(foldWith(GAP_LINE, line))).toEqual([issue])
  })

  it('reads several gaps that begin one line', () => {
    const findings = `${FINDINGS}\nGAP-4 and GAP-5\n`
    expect(gapIssues(foldWith(GAP_LINE, 'GAP-003, GAP-4 & GAP-5: open'), findings)).toEqual([])
    expect(gapIssues(foldWith(GAP_LINE, 'GAP-003: open, as GAP-4 and GAP-5'), findings)).toEqual([
      'gap_missing 20:1 GAP-4',
      'gap_missing 20:1 GAP-5',
    ])
  })

  it('does not look for gaps outside section 4', () => {
    const moved = withChange(foldWith(GAP_LINE, ''), 'ET-1 |', `${GAP_LINE}\n\nET-1 |`)
    expect(gapIssues(moved)).toEqual(['gap_missing 20:1 GAP-003'])
  })
})

describe('no_invented_ids', () => {
  it('names each id that findings.md has not, where it first stands', () => {
    expect(
      inventedIssues(
        withChange(
          foldWith('refunds` [FINDING-017]', 'refunds` [FINDING-017, FINDING-018]'),
          GAP_LINE,
          `${GAP_LINE}\nGAP-9 — as FINDING-018 and FINDING-17`,
        ),
      ),
    ).toEqual([
      'id_invented 10:65 FINDING-018',
      'id_invented 23:1 GAP-9',
      'id_invented 23:28 FINDING-17',
    ])
  })

  it('knows triggers from mission.md, from findings.md and from the mission itself', () => {
    const fold_md = foldWith('ET-1 | 2026', 'ET-2 was quiet, ET-7 was not.\nET-1 | 2026')
    expect(issuesOf(judge({ fold_md }), 'no_invented_ids')).toEqual(['id_invented 26:17 ET-7'])
    expect(issuesOf(judge({ fold_md, recorded_triggers: ['ET-7'] }), 'no_invented_ids')).toEqual([])
  })

  it('passes over comments, templates and longer words', () => {
    const fold_md = `${FOLD}\n<!-- FINDING-9 --> FINDING-XXX FINDING-9a QA-FINDING-9 \`DT-9\`\n`
    expect(inventedIssues(fold_md)).toEqual([])
  })
})
