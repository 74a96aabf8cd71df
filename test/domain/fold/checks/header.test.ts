import { describe, expect, it } from 'vitest'
import { FOLD, foldWith, issuesOf, judge, MISSION, withChange } from '../../../support/fold-case.ts'

const TARGET = 'Which jobs write to `refunds`, and is each write guarded by a limit check?'
const SCOPE = 'SCOPE: app/jobs/**, app/models/refund*.rb'

const issues = (passage: string, replacement: string) =>
  issuesOf(judge({ fold_md: foldWith(passage, replacement) }), 'header_verbatim')

describe('header_verbatim', () => {
  it.each([
    ['MISSION-ID: 20261130-001', '**MISSION-ID:** `20261130-001`'],
    ['MISSION-ID: 20261130-001', '- **MISSION-ID**: 20261130-001'],
    ['MISSION-ID: 20261130-001', '| MISSION-ID | 20261130-001'],
    ['MISSION-ID: 20261130-001', '| MISSION-ID | 20261130-001 |'],
    [`DECISION_TARGET: ${TARGET}`, `| DECISION_TARGET | ${TARGET} |\n| OWNER | me |`],
    ['STATUS: partial', '| STATUS | partial |\n| OWNER | me |'],
    [TARGET, TARGET.replace('refunds`, ', 'refunds`,\n  ')],
    [TARGET, TARGET.replaceAll(' ', '  ')],
    [TARGET, `"${TARGET}"`],
    [TARGET, `\n\n> ${TARGET}\n`],
    [TARGET, `${TARGET}\n- \`DT-1\` — Which jobs write?\n- \`DT-2\` — Which writes are guarded?`],
    [SCOPE, 'SCOPE:\n- `app/jobs/**`\n- `app/models/refund*.rb`'],
    [SCOPE, '**SCOPE:**\n```\napp/models/refund*.rb\napp/jobs/**\n```'],
    [SCOPE, `${SCOPE} (exclude: vendor/**)`],
    [
      SCOPE,
      'SCOPE:\nInclude:\n```\napp/jobs/**\napp/models/refund*.rb\n```\nExclude:\n```\nvendor/**\n```',
    ],
    [SCOPE, 'SCOPE_INCLUDE: app/jobs/** app/models/refund*.rb\nSCOPE_EXCLUDE: vendor/**'],
    ['STATUS: partial', 'STATUS: `completed`'],
    ['STATUS: partial', '**STATUS:** blocked\n\n---'],
    ['STATUS: partial', 'GOAL: any\nSTATUS: partial'],
  ])('accepts %j as %j', (passage, replacement) => {
    expect(issues(passage, replacement)).toEqual([])
  })

  it.each([
    ['MISSION-ID: 20261130-001\n', '', 'field_missing 1:1 MISSION-ID'],
    ['MISSION-ID: 20261130-001', 'MISSION-ID:', 'field_missing 3:1 MISSION-ID'],
    ['MISSION-ID: 20261130-001', 'MISSION-ID: 20261130-002', 'id_differs 3:13 MISSION-ID'],
    ['MISSION-ID: 20261130-001', 'Mission: 20261130-001', 'field_missing 1:1 MISSION-ID'],
    [TARGET, TARGET.replace('limit', 'Limit'), 'target_differs 4:18 DECISION_TARGET'],
    [TARGET, TARGET.replaceAll('`', ''), 'target_differs 4:18 DECISION_TARGET'],
    [TARGET, TARGET.slice(0, -1), 'target_differs 4:18 DECISION_TARGET'],
    [TARGET, `${TARGET} And why?`, 'target_differs 4:18 DECISION_TARGET'],
    [
      TARGET,
      TARGET.replace('jobs write', 'jobs\u00a0write'),
      'target_differs 4:18 DECISION_TARGET',
    ],
    [SCOPE, 'SCOPE: app/jobs/**', 'scope_differs 5:8 SCOPE'],
    [SCOPE, `${SCOPE}, lib/**`, 'scope_differs 5:8 SCOPE'],
    [SCOPE, 'SCOPE: app/jobs/*, app/models/refund*.rb', 'scope_differs 5:8 SCOPE'],
    [SCOPE, `${SCOPE}, vendor/**`, 'scope_differs 5:8 SCOPE'],
    [SCOPE, `${SCOPE} (exclude: tmp/**)`, 'scope_differs 5:8 SCOPE'],
    [SCOPE, 'SCOPE: the jobs', 'scope_differs 5:8 SCOPE'],
    ['STATUS: partial', 'STATUS: done', 'status_invalid 6:9 STATUS'],
    ['STATUS: partial', 'STATUS: Partial', 'status_invalid 6:9 STATUS'],
    ['STATUS: partial', 'STATUS: completed | partial | blocked', 'status_invalid 6:9 STATUS'],
    ['STATUS: partial', 'STATUS: partial\n\nThe job is slow.', 'status_invalid 6:9 STATUS'],
    ['STATUS: partial', 'STATUS: partial\nSTATUS: partial', 'field_repeated 7:1 STATUS'],
    ['STATUS: partial', '<!-- STATUS: partial -->', 'field_missing 1:1 STATUS'],
  ])('rejects %j as %j', (passage, replacement, issue) => {
    expect(issues(passage, replacement)).toEqual([issue])
  })

  it('reads a header in a fence', () => {
    const fenced = withChange(
      foldWith('MISSION-ID:', '```\nMISSION-ID:'),
      'partial\n',
      'partial\n```\n',
    )
    expect(judge({ fold_md: fenced }).accepted).toBe(true)
  })

  it('compares a scope in words as a text', () => {
    const scope = MISSION.slice(MISSION.indexOf('## SCOPE'), MISSION.indexOf('## BUDGET'))
    const mission_md = withChange(MISSION, scope, '## SCOPE\n\nthe refund\njobs\n\n')
    const verdictOf = (words: string) =>
      issuesOf(
        judge({ mission_md, fold_md: foldWith(SCOPE, `SCOPE: ${words}`) }),
        'header_verbatim',
      )
    expect(verdictOf('the refund jobs')).toEqual([])
    expect(verdictOf('the jobs')).toEqual(['scope_differs 5:8 SCOPE'])
  })

  it('says what mission.md lacks', () => {
    expect(issuesOf(judge({ mission_md: '' }), 'header_verbatim')).toEqual([
      'mission_field_missing 4:18 DECISION_TARGET',
      'mission_field_missing 5:8 SCOPE',
    ])
  })

  it('looks for the fields in section 1 only', () => {
    const moved = `${withChange(FOLD, 'STATUS: partial\n', '')}STATUS: partial\n`
    expect(issuesOf(judge({ fold_md: moved }), 'header_verbatim')).toEqual([
      'field_missing 1:1 STATUS',
    ])
  })
})
