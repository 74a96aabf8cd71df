import { describe, expect, it } from 'vitest'
import {
  FINDINGS,
  FOLD,
  foldWith,
  issuesOf,
  judge,
  withChange,
} from '../../../support/fold-case.ts'

const FIRST = 'FINDING-017 | H | app/jobs/pay_refund.rb:42-78'
const SECOND = 'FINDING-017 | H | app/models/refund_limit.rb:12-40'
const LAST = 'FINDING-021 | M | lib/tasks/**  (ruled_out)'

const issues = (line: string, replacement: string, findings_md = FINDINGS) =>
  issuesOf(judge({ fold_md: foldWith(line, replacement), findings_md }), 'index_is_flat')

describe('index_is_flat', () => {
  it.each([
    [FIRST, `- ${FIRST}`],
    [LAST, 'FINDING-021 | M | `lib/tasks/**` (ruled_out)'],
    [LAST, 'FINDING-021 | M | lib/tasks/refunds.rake:1-30'],
    [LAST, 'FINDING-021 | M | lib/tasks/refunds.rake:1-30 (ruled_out)'],
  ])('accepts %j as %j', (line, replacement) => {
    expect(issues(line, replacement)).toEqual([])
  })

  it.each([
    [FIRST, FIRST.replace('| H', '| M'), ['tier_differs 16:15 FINDING-017']],
    [FIRST, FIRST.replace('| H', '| High'), ['tier_invalid 16:15 FINDING-017']],
    [SECOND, '', ['anchor_missing 16:1 FINDING-017']],
    [SECOND, FIRST, ['anchor_missing 16:1 FINDING-017']],
    [
      FIRST,
      FIRST.replace('42-78', '42-79'),
      ['anchor_unknown 16:19 FINDING-017', 'anchor_missing 16:1 FINDING-017'],
    ],
    [
      FIRST,
      FIRST.replace(':42-78', ''),
      ['anchor_unknown 16:19 FINDING-017', 'anchor_missing 16:1 FINDING-017'],
    ],
    [
      FIRST,
      'FINDING-017 | H | app/** (ruled_out)',
      ['anchor_unknown 16:19 FINDING-017', 'anchor_missing 16:1 FINDING-017'],
    ],
    [
      LAST,
      'FINDING-021 | M | app/** (ruled_out)',
      ['anchor_unknown 18:19 FINDING-021', 'anchor_missing 18:1 FINDING-021'],
    ],
    [
      LAST,
      'FINDING-021 | M | lib/tasks/**',
      ['anchor_unknown 18:19 FINDING-021', 'anchor_missing 18:1 FINDING-021'],
    ],
    [
      LAST,
      'FINDING-021 | M | lib/tasks/refunds.rake (ruled_out)',
      ['anchor_unknown 18:19 FINDING-021', 'anchor_missing 18:1 FINDING-021'],
    ],
    [
      LAST,
      'FINDING-021 | M | lib/** (ruled_out)',
      ['anchor_unknown 18:19 FINDING-021', 'anchor_missing 18:1 FINDING-021'],
    ],
    [FIRST, `${FIRST} (ruled_out)`, ['mark_unfounded 16:19 FINDING-017']],
    [FIRST, `${FIRST} — the sole writer`, ['claim_text 16:48 FINDING-017']],
    [FIRST, `| ${FIRST} |`, ['line_malformed 16:1', 'anchor_missing 17:1 FINDING-017']],
    [FIRST, `${FIRST}\nIt is the sole writer.`, ['line_malformed 17:1']],
    [FIRST, `${FIRST}\n...`, ['line_malformed 17:1']],
    [SECOND, `  - ${SECOND}`, ['line_nested 17:3 FINDING-017']],
  ])('rejects %j as %j', (line, replacement, expected) => {
    expect(issues(line, replacement)).toEqual(expected)
  })

  it.each([
    ['**', 'none'],
    ['**', 'n/a'],
    ['**', '-'],
    ['**', '\n  - none'],
    ['**', '\n  - "No job in app/workers/**"'],
    ['app/**', '\n  - "No job in app/workers/**"'],
    ['app/**', '\n  - "No job at all."'],
  ])('lets no (ruled_out) line for %j stand for evidence where ruled_out is %j', (glob, said) => {
    const findings_md = withChange(FINDINGS, 'confidence: H', `ruled_out: ${said}\nconfidence: H`)
    const index = `FINDING-017 | H | ${glob} (ruled_out)`
    expect(issues(`${FIRST}\n${SECOND}`, index, findings_md)).toEqual([
      'anchor_unknown 16:19 FINDING-017',
      'anchor_missing 16:1 FINDING-017',
      'anchor_missing 16:1 FINDING-017',
    ])
  })

  it('lets a glob that is ruled out stand for the anchors below its root only', () => {
    const findings_md = (glob: string) =>
      withChange(FINDINGS, 'confidence: H', `ruled_out:\n  - "No job in ${glob}"\nconfidence: H`)
    const index = (glob: string) => `FINDING-017 | H | ${glob} (ruled_out)`
    const judged = (glob: string, lines: string) =>
      issues(`${FIRST}\n${SECOND}`, lines, findings_md(glob))
    expect(judged('app/{jobs,mail}/**', `${index('app/{jobs,mail}/**')}\n${SECOND}`)).toEqual([])
    expect(judged('app/mail/**', `${FIRST}\n${SECOND}\n${index('app/mail/**')}`)).toEqual([])
    expect(judged('app/jobs/**', index('app/jobs/**'))).toEqual(['anchor_missing 16:1 FINDING-017'])
    expect(judged('**/*.rb', index('**/*.rb'))).toEqual([
      'anchor_missing 16:1 FINDING-017',
      'anchor_missing 16:1 FINDING-017',
    ])
  })

  it.each([
    ['docs/a.md:42-78, 90-95', []],
    ['docs/a.md:42-78,90-95', []],
    ['`docs/a.md:42–78, 90-95`', []],
    ['docs/a.md:42-78\nFINDING-022 | L | docs/a.md:90-95', []],
    ['docs/a.md:42-78', ['anchor_missing 19:1 FINDING-022']],
    [
      'docs/a.md:42-78, 90-96',
      [
        'anchor_unknown 19:19 FINDING-022',
        'anchor_missing 19:1 FINDING-022',
        'anchor_missing 19:1 FINDING-022',
      ],
    ],
    ['docs/a.md:42-78, as said', ['claim_text 19:36 FINDING-022']],
  ])('judges %j where evidence has two ranges of lines', (anchor, expected) => {
    const record =
      '\n- id: FINDING-022\n  evidence:\n  - path: docs/a.md\n    lines: 42-78, 90-95\n'
    expect(issues(LAST, `${LAST}\nFINDING-022 | L | ${anchor}`, FINDINGS + record)).toEqual(
      expected,
    )
  })

  it('wants a path with blanks in backticks, and says so', () => {
    const record = '\n- id: FINDING-022\n  evidence:\n  - path: "docs/My File.md"\n    lines: 3\n'
    const verdictOf = (anchor: string) =>
      judge({
        fold_md: foldWith(LAST, `${LAST}\nFINDING-022 | L | ${anchor}`),
        findings_md: FINDINGS + record,
      })
    expect(issuesOf(verdictOf('`docs/My File.md:3`'), 'index_is_flat')).toEqual([])
    const bare = verdictOf('docs/My File.md:3')
    expect(issuesOf(bare, 'index_is_flat')).toEqual(['claim_text 19:27 FINDING-022'])
    expect(JSON.stringify(bare)).toContain('A path with blanks stands in backticks.')
  })

  it('lets a fold keep what only looks like evidence, or not', () => {
    const prose = '\n- **FINDING-022** (M): pins library/postgres:15. `docker/c.yml:4`\n'
    const judged = (lines: string) => issues(LAST, `${LAST}\n${lines}`, FINDINGS + prose)
    const own = 'FINDING-022 | M | docker/c.yml:4'
    expect(judged(own)).toEqual([])
    expect(judged(`${own}\nFINDING-022 | M | library/postgres:15`)).toEqual([])
    expect(judged('FINDING-022 | M | library/postgres:15')).toEqual([
      'anchor_missing 19:1 FINDING-022',
    ])
  })

  it('takes a mark on a record in prose, which may rule out without the word', () => {
    const prose = '\n- **FINDING-022** (M): no task pays. `lib/tasks/pay.rake:3`\n'
    const line = 'FINDING-022 | M | lib/tasks/pay.rake:3 (ruled_out)'
    expect(issues(LAST, `${LAST}\n${line}`, FINDINGS + prose)).toEqual([])
  })

  it.each([
    ['High', 'H', 'L'],
    ['HIGH', 'H', 'M'],
    ['Medium', 'M', 'H'],
    ['**low** (guessed)', 'L', 'M'],
  ])('reads the confidence %s as tier %s, and not as %s', (written, tier, other) => {
    const findings_md = withChange(FINDINGS, 'confidence: H', `Confidence: ${written}`)
    const index = (as: string) => `${FIRST}\n${SECOND}`.replaceAll('| H |', `| ${as} |`)
    expect(issues(`${FIRST}\n${SECOND}`, index(tier), findings_md)).toEqual([])
    expect(issues(`${FIRST}\n${SECOND}`, index(other), findings_md)).toEqual([
      'tier_differs 16:15 FINDING-017',
      'tier_differs 17:15 FINDING-017',
    ])
  })

  it('lets an anchor that findings share stand once, at any of them', () => {
    const shared = withChange(
      withChange(FINDINGS, 'path: lib/tasks/refunds.rake', 'path: app/jobs/pay_refund.rb'),
      'lines: 1-30',
      'lines: 42-78',
    )
    const fold = (index: string) =>
      issuesOf(
        judge({ fold_md: foldWith(`${FIRST}\n${SECOND}\n${LAST}`, index), findings_md: shared }),
        'index_is_flat',
      )
    const own = 'FINDING-021 | M | app/jobs/pay_refund.rb:42-78'
    expect(fold(`${SECOND}\n${own}`)).toEqual([])
    expect(fold(`${FIRST}\n${SECOND}\n${own}`)).toEqual([])
    expect(fold(`${FIRST}\n${SECOND}\n${LAST}`)).toEqual([])
    expect(fold(`${SECOND}\n${own.replace('42-78', '42')}`)).toEqual([
      'anchor_unknown 17:19 FINDING-021',
      'anchor_missing 16:1 FINDING-017',
      'anchor_missing 17:1 FINDING-021',
    ])
  })

  it('takes the tiers of prose records, and none where findings.md gives none', () => {
    const prose =
      '\n- **FINDING-005** (L): a limit in `config/limits.yml:3`\n- FINDING-6: see db/schema.rb:9\n'
    const index = (lines: string) => foldWith(LAST, `${LAST}\n${lines}`)
    const judged = (lines: string) =>
      issuesOf(judge({ fold_md: index(lines), findings_md: FINDINGS + prose }), 'index_is_flat')
    expect(judged('FINDING-005 | L | config/limits.yml:3\nFINDING-6 | H | db/schema.rb:9')).toEqual(
      [],
    )
    expect(judged('FINDING-005 | H | config/limits.yml:3\nFINDING-6 | H | db/schema.rb:9')).toEqual(
      ['tier_differs 19:15 FINDING-005'],
    )
  })

  it('lets a finding without evidence stand with no anchor, or with the glob that it names', () => {
    const findings = `${FINDINGS}\nAs FINDING-9 says.\n\n- **FINDING-10** (M): no job in \`app/mail/**\`\n`
    const judged = (lines: string) =>
      issuesOf(
        judge({ fold_md: foldWith(LAST, `${LAST}\n${lines}`), findings_md: findings }),
        'index_is_flat',
      )
    expect(judged('FINDING-9 | L | none\nFINDING-10 | M | app/mail/** (ruled_out)')).toEqual([])
    expect(judged('FINDING-9 | L | a.rb:1\nFINDING-10 | M | app/** (ruled_out)')).toEqual([
      'anchor_unknown 19:17 FINDING-9',
      'anchor_unknown 20:18 FINDING-10',
    ])
  })

  it('says nothing of an id that findings.md has not', () => {
    expect(issues(LAST, `${LAST}\nFINDING-404 | H | a.rb:1`)).toEqual([])
    expect(judge({ fold_md: `${FOLD}` }).accepted).toBe(true)
  })
})
