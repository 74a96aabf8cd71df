import { describe, expect, it } from 'vitest'
import { parseFindings } from '../../../../../src/domain/fold/documents/findings/findings-document.ts'

const REF = `memex://excerpt/${'0a'.repeat(32)}`

/** One line a finding: id, line, tiers, anchors, what was ruled out, number of refs. */
const shown = (document: string): readonly string[] =>
  [...parseFindings(document).findings.values()].map(
    ({ id, line, has_record, tiers, anchors, ruled_out, ruled_out_paths, refs }) =>
      has_record
        ? `${id} ${line} ${[...tiers].join('')} ${[...anchors].join(',')} ${ruled_out ? `ruled_out ${[...ruled_out_paths].join(',')} ` : ''}${refs.size}`
        : `${id} ${line} mentioned`,
  )

describe('parseFindings', () => {
  it('reads a heading with a yaml fence, and takes no key from a block scalar', () => {
    const document = `## FINDING-001
\`\`\`yaml
id: FINDING-001
claim: |
  FINDING-009: confidence: L
  path: x/y.rb
evidence:
  - path: a/b.rb
    lines: 42-78
    excerpt_ref: ${REF}
  - path: a/c.rb
    lines: 42 # one line
ruled_out:            # OPTIONAL
  - "No writer in c/** (exhaustive)."
confidence: H
supports_decision: DT-1
\`\`\``
    expect(shown(document)).toEqual([
      'FINDING-001 1 H a/b.rb:42-78,a/c.rb:42 ruled_out c/** 1',
      'FINDING-009 5 mentioned',
    ])
  })

  it('reads findings as yaml keys', () => {
    const document = `\`\`\`yaml
FINDING-017:
  claim: "x"
  evidence:
    - path: "a/b.rb"
      lines: 42-78
      excerpt_ref: ${REF}
  confidence: 'M'
FINDING-18:
  evidence:
    - {path: d.rb, lines: 1-2, excerpt_ref: ${REF}}
    - "e/f.rb:7"
  confidence: L
GAP-1:
  strikes:
    - probe: grep x/y.rb:12
\`\`\``
    expect(shown(document)).toEqual([
      'FINDING-017 2 M a/b.rb:42-78 1',
      'FINDING-18 9 L e/f.rb:7,d.rb:1-2 1',
    ])
    expect([...parseFindings(document).gaps]).toEqual([['GAP-1', 14]])
  })

  it('reads evidence on one line', () => {
    const document = `\`\`\`yaml
- id: FINDING-1
  evidence: [{path: a/b.rb, lines: 1-2, excerpt_ref: ${REF}}, {lines: 3, path: "c.rb"}]
  ruled_out: ["none in d/**"]
- id: FINDING-2
  evidence: { path: e.rb, lines: 4 }
- id: FINDING-3
  evidence: f/g.rb:5
\`\`\``
    expect(shown(document)).toEqual([
      'FINDING-1 2  a/b.rb:1-2,c.rb:3 ruled_out d/** 1',
      'FINDING-2 5  e.rb:4 0',
      'FINDING-3 7  f/g.rb:5 0',
    ])
  })

  it('reads findings as items of a yaml list', () => {
    const document = `\`\`\`yaml
- id: FINDING-003
  claim: z
  evidence:
  - path: q.rb
    lines: 5
  confidence: L
- id: "FINDING-004"
  evidence:
  - lines: 9-10
    path: r.rb
  confidence: H | M | L
\`\`\``
    expect(shown(document)).toEqual(['FINDING-003 2 L q.rb:5 0', 'FINDING-004 8  r.rb:9-10 0'])
  })

  it('reads findings as list items and as bold paragraphs', () => {
    const document = `- **FINDING-005** (H): the schema has it \`schemas/x.json:11\`
- **FINDING-006** (M): more — a/b.rb:12-14, as FINDING-005
  and c/d.rb:3

Prose behind the list z/z.rb:99.

**FINDING-01 (H):** written by \`install.sh:5\`.

Evidence:
- \`~/.x/y@1.2/install.sh:566-571\` — heredoc
- \`cli/sync.sh:372–374\` — only

- [FINDING-007] thing — evidence: a/b.rb:12
- FINDING-008: ruled out: no job in \`app/jobs/**\``
    expect(shown(document)).toEqual([
      'FINDING-005 1 H schemas/x.json:11 0',
      'FINDING-006 2 M a/b.rb:12-14,c/d.rb:3 0',
      'FINDING-01 7 H ~/.x/y@1.2/install.sh:566-571,cli/sync.sh:372-374 0',
      'FINDING-007 13  a/b.rb:12 0',
      'FINDING-008 14   ruled_out app/jobs/** 0',
    ])
  })

  it('takes a name without a dot for a file where it stands in backticks', () => {
    const { findings } = parseFindings('- **FINDING-001** (H): pinned at 3:1 in `Gemfile:3`.\n')
    expect([...(findings.get('FINDING-001')?.anchors ?? [])]).toEqual(['Gemfile:3'])
  })

  it('takes anchors in backticks, or behind the word evidence, before others of a text', () => {
    const anchorsOf = (document: string) =>
      [...parseFindings(document).findings.values()].map(({ anchors, asides }) =>
        [...anchors, '|', ...asides].join(' '),
      )
    expect(
      anchorsOf(
        '- **FINDING-1** (H): pins library/postgres:15 for redis.internal:6379. `docker/c.yml:4`, `x.rb:1`\n' +
          '- **FINDING-2** (H): pins library/postgres:15 — evidence: docker/c.yml:4, x.rb:1\n' +
          '- **FINDING-3** (H): pins library/postgres:15 in `all of` docker/c.yml:4\n',
      ),
    ).toEqual([
      'docker/c.yml:4 x.rb:1 | library/postgres:15 redis.internal:6379',
      'docker/c.yml:4 x.rb:1 | library/postgres:15',
      'library/postgres:15 docker/c.yml:4 |',
    ])
  })

  it('takes each range of a list of lines for an anchor, sixteen at most', () => {
    expect(
      shown(
        '- id: FINDING-1\n  evidence:\n  - path: a.rb\n    lines: 42–78, 90-95\n- FINDING-2: b/c.rb:1,3-5,7, d.rb:1-2-3',
      ),
    ).toEqual([
      'FINDING-1 1  a.rb:42-78,a.rb:90-95 0',
      'FINDING-2 5  b/c.rb:1,b/c.rb:3-5,b/c.rb:7,d.rb:1-2 0',
    ])
    const many = Array.from({ length: 17 }, (_, line) => line + 1).join(',')
    expect(shown(`- FINDING-1: a/b.rb:${many}`)).toEqual([`FINDING-1 1  a/b.rb:${many} 0`])
  })

  it('reads tiers that are spelled out, and none from a template or a remark', () => {
    const tiersOf = (document: string) =>
      [...parseFindings(document).findings.values()].map(({ tiers }) => [...tiers].join(''))
    expect(
      tiersOf(
        '- **FINDING-1** (High): x\n- **FINDING-2** [medium]: x\n| FINDING-3 | Low | x |\n' +
          '- FINDING-4 (Low traffic): x\n- FINDING-5 (H | M | L): x\n- FINDING-6 (High/Low): x\n' +
          '- FINDING-7\n  - confidence: Medium-high\n- FINDING-8\n  - confidence: High | Low',
      ),
    ).toEqual(['H', 'M', 'L', '', '', '', '', ''])
  })

  it('takes a ruled_out of nothing for nothing', () => {
    const ruled = (said: string) =>
      parseFindings(`## FINDING-1\n\n- claim: x\n${said}`).findings.get('FINDING-1')?.ruled_out
    for (const said of [
      'ruled_out: none',
      'ruled_out: []',
      'ruled_out:\n- n/a',
      '**Ruled out:** —',
    ])
      expect(ruled(said)).toBe(false)
    expect(ruled('ruled_out: none in `a/**`')).toBe(true)
    expect(ruled('**Ruled out:** a job in `a/**`')).toBe(true)
  })

  it('reads bold field names and table rows', () => {
    expect(
      shown(
        '### [FINDING-001]\n\n**Claim**: x\n\n**Evidence**:\n- path: a.rb\n  lines: 1-2\n\n**Confidence**: H',
      ),
    ).toEqual(['FINDING-001 1 H a.rb:1-2 0'])
    expect(shown('| FINDING-001 | H | a.rb:1 |')).toEqual(['FINDING-001 1 H a.rb:1 0'])
  })

  it('counts every id that is named, in prose and in fences, but not in comments', () => {
    const { findings, gaps } = parseFindings(
      'FINDING-017/018 agree.\n```\nFINDING-1\n```\n<!-- FINDING-2 GAP-2 -->\nFINDING-XXX GAP-<n> GAP-7',
    )
    expect([...findings.keys()]).toEqual(['FINDING-017', 'FINDING-018', 'FINDING-1'])
    expect([...gaps]).toEqual([['GAP-7', 6]])
  })

  it('takes a trigger as fired from entries of the log, not from mentions', () => {
    const { fired } = parseFindings(`ET-9 would fire on \`x\`.
## Escalation log
\`\`\`yaml
- trigger: ET-1
  fired_at: 2026-11-30T09:12:00Z
- trigger_id: "ET-2"
- {trigger: ET-3, fired_at: 2026-11-30T09:12:00Z, action_taken: halt}
- trigger: ET-<n>
- trigger: schema drift
- trigger: a ledger write (ET-7)
\`\`\`
- ET-4 — 2026-11-30T09:12:00Z — halt
- ET-5: not fired
## Telemetry
- ET-6 — 2026-11-30T09:12:00Z`)
    expect([...fired]).toEqual([
      ['ET-1', 4],
      ['ET-2', 6],
      ['ET-3', 7],
      ['schema drift', 9],
      ['ET-7', 10],
      ['ET-4', 12],
    ])
  })

  it.each([
    '**Escalation log:**\n\n- ET-1 — 2026-11-30T09:12:00Z — annotate',
    '**Escalation log**\n\n- ET-1 — annotate\n\n**Telemetry:**\n\n- ET-2 — 2026-11-30',
    'Escalation log:\n- ET-1 — annotate',
    '## Fired triggers\n\n- ET-1 fired 2026-11-30T09:12:00Z',
    '## ESCALATION_TRIGGERS fired\n\n- ET-1 halt',
    '## Escalation log\n\n- **ET-1** — fired on probe 3; action: annotate',
    '## Escalation log\n\n- ET-1 fired 30 Nov 2026 09:12 UTC: annotate',
    '## Escalation log\n\n- 09:12 ET-1 annotate',
    '## Escalation log\n\n### ET-1\n\nHalted; a human let it go on.',
    '## Escalation log\n\n| Trigger | Time |\n|---|---|\n| ET-1 | n/a | halt |',
    '## Escalation log\n\n```yaml\nescalations:\n  - id: ET-1\n    action_taken: halt\n```',
    '## Escalation log\n\n- Fired: ET-1',
    '# Declared scope\n\n## Escalation log\n\n- ET-1: halt',
    '## Escalation log\n\n### Not fired\n\n- ET-2: no migration\n\n### Fired\n\n- ET-1: halt',
    '## Escalation log\n\n**Not fired:**\n\n- ET-2\n\n**Fired:**\n\n- ET-1: halt; ET-2 not fired',
    '## Escalation log\n\n- ET-1: halt\n- ET-2: not fired\n- ET-3 — n/a\n- ET-4 never fired',
    '## Escalation log\n\n| ET-1 | yes |\n| ET-2 | no | not reached |\n| ET-3 | — | — |',
    '## Escalation log\n\n- trigger: ET-1 — a ledger write\n- trigger: none',
  ])('lets ET-1 alone have fired in %j, with a time or without', (log) => {
    expect([...parseFindings(log).fired.keys()]).toEqual(['ET-1'])
  })

  it('lets all triggers that lead an entry have fired', () => {
    const log = '## Escalation log\n\n- ET-1, ET-2 and ET-3/4 — halted, unlike ET-5'
    expect([...parseFindings(log).fired.keys()]).toEqual(['ET-1', 'ET-2', 'ET-3', 'ET-4'])
  })

  it('collects refs as they are written, template aside', () => {
    const { refs } = parseFindings(`${REF}\nmemex://excerpt/7f31ab... memex://excerpt/<sha256>`)
    expect([...refs]).toEqual([REF, 'memex://excerpt/7f31ab'])
  })

  it('says where a comment was left open', () => {
    expect(parseFindings('FINDING-1\n <!-- FINDING-2').open_comment).toEqual({ line: 2, column: 2 })
  })
})
