import { describe, expect, it } from 'vitest'
import {
  FINDINGS,
  foldWith,
  issuesOf,
  judge,
  MISSION,
  withChange,
} from '../../../support/fold-case.ts'

const ENTRY =
  'ET-1 | 2026-11-30T09:12:00Z | annotated: the ledger write is in the same transaction.'
const DECLARED = '- `ET-1` — a write to `ledger_entries`\n'

const issues = (entry: string) =>
  issuesOf(judge({ fold_md: foldWith(ENTRY, entry) }), 'triggers_logged')

describe('triggers_logged', () => {
  it.each([
    '- **ET-1** fired at 2026-11-30T09:12:00Z; halted, a human let it go on.',
    '| ET-1 | 2026-11-30 09:12 | annotated |',
    '- 2026-11-30T09:12:00.123+01:00 — ET-1 — annotated',
    '### ET-1\n\n2026-11-30T09:12Z. Annotated.',
    '- trigger: ET-1\n  fired_at: 2026-11-30T09:12:00Z\n  resolution: annotated',
    '```yaml\n- {trigger: "ET-1", fired_at: 2026-11-30T09:12:00Z, action_taken: halt}\n```',
    'ET-1 (2026-11-30): 解決済み',
    '- **Trigger ET-1** at 2026-11-30T09:12:00Z: annotated',
    'ESCALATION_TRIGGER `ET-1`, 2026-11-30: annotated',
  ])('accepts %j', (entry) => {
    expect(issues(entry)).toEqual([])
  })

  it.each([
    ['None.', 'trigger_missing 24:1 ET-1'],
    ['ET-10 | 2026-11-30T09:12:00Z | halt', 'trigger_missing 24:1 ET-1'],
    ['<!-- ET-1 | 2026-11-30T09:12:00Z | halt -->', 'trigger_missing 24:1 ET-1'],
    ['The log of ET-1, 2026-11-30T09:12:00Z, halted', 'trigger_missing 24:1 ET-1'],
    ['ET-1 | annotated', 'trigger_without_timestamp 26:1 ET-1'],
    ['- ET-1 at 9:12: annotated', 'trigger_without_timestamp 26:3 ET-1'],
    ['ET-1 | 2026-11-30T09:12:00Z', 'trigger_without_resolution 26:1 ET-1'],
    ['ET-1 | 2026-11-30T09:12:00Z | —', 'trigger_without_resolution 26:1 ET-1'],
    ['ET-1 fired at 2026-11-30T09:12:00Z', 'trigger_without_resolution 26:1 ET-1'],
    ['ET-1 | 2026-11-30T09:12:00Z | ET-1', 'trigger_without_resolution 26:1 ET-1'],
    [
      '- trigger: ET-1\n  fired_at: 2026-11-30T09:12:00Z\n  on_path: app/x.rb:1\n  resolution:',
      'trigger_without_resolution 26:12 ET-1',
    ],
    [
      'ET-1 | 2026-11-30T09:12:00Z\nET-2 | 2026-11-30T09:12:00Z | halt',
      'trigger_without_resolution 26:1 ET-1',
    ],
  ])('rejects %j', (entry, issue) => {
    expect(issues(entry)).toEqual([issue])
  })

  it('wants no entry of a trigger that was declared and did not fire', () => {
    expect(MISSION).toContain('ET-2')
    expect(judge().accepted).toBe(true)
  })

  it('wants no entry of one that fired undeclared, but warns', () => {
    const mission_md = withChange(MISSION, DECLARED, '')
    for (const entry of [ENTRY, 'None.']) {
      const verdict = judge({ mission_md, fold_md: foldWith(ENTRY, entry) })
      expect(verdict).toMatchObject({
        accepted: true,
        counts: { triggers: 0 },
        warnings: [{ code: 'trigger_not_declared', id: 'ET-1' }],
      })
    }
  })

  it('wants an entry of one that the mission recorded, as of one in findings.md', () => {
    const recorded = judge({ recorded_triggers: ['ET-2', 'ET-1'] })
    expect(issuesOf(recorded, 'triggers_logged')).toEqual(['trigger_missing 24:1 ET-2'])
    expect(recorded.counts.triggers).toBe(2)
  })

  it.each(['ET-2 — a change of a payout limit', 'ET-2: limit changed', 'limit changed (ET-2)'])(
    'knows %j, which the mission recorded, by its id',
    (trigger) => {
      const recorded = judge({ recorded_triggers: [trigger] })
      expect(issuesOf(recorded, 'triggers_logged')).toEqual(['trigger_missing 24:1 ET-2'])
      expect(recorded.warnings).toEqual([])
    },
  )

  it('knows a trigger without an id by its words', () => {
    const documents = {
      mission_md: withChange(MISSION, DECLARED, '- `schema drift` — any migration\n'),
      findings_md: withChange(FINDINGS, 'trigger: ET-1', 'trigger: schema drift'),
    }
    const logged = foldWith('ET-1 |', '- schema drift |')
    expect(judge({ ...documents, fold_md: logged }).accepted).toBe(true)
    const lost = judge({ ...documents, fold_md: foldWith(ENTRY, 'None.') })
    expect(issuesOf(lost, 'triggers_logged')).toEqual(['trigger_missing 24:1 schema drift'])
    const recorded = judge({
      ...documents,
      findings_md: withChange(FINDINGS, 'trigger: ET-1', 'trigger: none'),
      fold_md: foldWith(ENTRY, 'None.'),
      recorded_triggers: ['schema drift: a new column'],
    })
    expect(issuesOf(recorded, 'triggers_logged')).toEqual(['trigger_missing 24:1 schema drift'])
  })
})
