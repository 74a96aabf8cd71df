import { describe, expect, it } from 'vitest'
import { parseMission } from '../../../../src/domain/fold/documents/mission-document.ts'
import { MISSION } from '../../../support/fold-case.ts'

const scopeOf = (document: string) => {
  const { include, exclude } = parseMission(document).scope
  return { include: [...include], exclude: [...exclude] }
}

describe('parseMission', () => {
  it("reads the book's form: headings, fenced globs, sub-questions, declared triggers", () => {
    const mission = parseMission(MISSION)
    expect(mission).toMatchObject({
      id: '20261130-001',
      target: {
        question: 'Which jobs write to `refunds`, and is each write guarded by a limit check?',
      },
    })
    expect(mission.target?.whole).toMatch(/limit check\? `DT-1` — Which .*`DT-2` — Which/)
    expect(scopeOf(MISSION)).toEqual({
      include: ['app/jobs/**', 'app/models/refund*.rb'],
      exclude: ['vendor/**'],
    })
    expect([...mission.triggers]).toEqual(['ET-1', 'ET-2'])
  })

  it('reads fields in bold or plain, on one line or wrapped', () => {
    const mission = parseMission(`# M
**MISSION-ID:** ATLAS-BILLING-2026-06-09
**Created:** 2026-06-09
**DECISION_TARGET:** Which jobs write
to refunds?
**SCOPE:** \`app/**\`, \`lib/**\`.
**BUDGET:** 10

**ESCALATION_TRIGGERS:**
- ET-1 — a write
- ET-12: a read; ET-3 — another`)
    expect(mission.id).toBe('ATLAS-BILLING-2026-06-09')
    expect(mission.target?.question).toBe('Which jobs write to refunds?')
    expect([...mission.scope.include]).toEqual(['app/**', 'lib/**'])
    expect([...mission.triggers]).toEqual(['ET-1', 'ET-12', 'ET-3'])
  })

  it.each([
    ['MISSION-ID: x-1', 'x-1'],
    ['**MISSION-ID:** `x-1`', 'x-1'],
    ['**MISSION-ID**: x-1', 'x-1'],
    ['- **MISSION-ID** — x-1', 'x-1'],
    ['| MISSION-ID | x-1', 'x-1'],
    ['## MISSION-ID\n\n`x-1`\n', 'x-1'],
    ['# MISSION-ID — x-1\n\n**Created:** today', 'x-1'],
    ['| MISSION-ID | x-1 |', 'x-1'],
    ['MISSION-ID x-1', null],
    ['the MISSION-ID: x-1', null],
    ['```\nMISSION-ID: x-1\n```', null],
    ['<!-- MISSION-ID: x-1 -->', null],
  ])('reads the id of %j as %j', (document, id) => {
    expect(parseMission(document).id).toBe(id)
  })

  it.each([
    ['## DECISION_TARGET\n\n> Guidance of the template.\n\nIs it so?\n', 'Is it so?'],
    ['## DECISION_TARGET\n<!-- Example: no -->\nIs it so?\n## SCOPE\nx', 'Is it so?'],
    ['## Decision target\nIs it\tso?\n- DT-1: a', 'Is it so?'],
    ['## DECISION_TARGET: Is it so?\n', 'Is it so?'],
    ['## DECISION_TARGET\n\n> Is it so?\n', 'Is it so?'],
    ['## DECISION_TARGET\n\n**Is it so?**\n', 'Is it so?'],
    ['**DECISION_TARGET:**\n\nIs it so?\n\nMore prose.', 'Is it so?'],
    ['DECISION_TARGET: Is it so?\n\nMore prose.', 'Is it so?'],
    ['## DECISION_TARGET\n\nIs it so?\n\nAnd so?\n', 'Is it so? And so?'],
  ])('reads the target of %j', (document, question) => {
    expect(parseMission(document).target?.question).toBe(question)
  })

  it.each([
    [
      'SCOPE_INCLUDE: app/**, config/{a,b}.yml\nSCOPE_EXCLUDE: vendor/**',
      ['app/**', 'config/{a,b}.yml'],
      ['vendor/**'],
    ],
    [
      '## SCOPE\n*Include*\n```\napp/**\nMakefile\n```\n*Exclude*\n```\ntmp/**\n```',
      ['app/**', 'Makefile'],
      ['tmp/**'],
    ],
    [
      '## SCOPE\n- `app/**` (all of it)\n- lib/*.rb\n- !vendor/**',
      ['app/**', 'lib/*.rb'],
      ['vendor/**'],
    ],
    ['SCOPE: app/** (exclude: tmp/**, log/**)', ['app/**'], ['tmp/**', 'log/**']],
    ['SCOPE: [app/**, lib/[ab]*.rb]', ['app/**', 'lib/[ab]*.rb'], []],
    [
      '## SCOPE\n*Include*\n```\ninclude/**\napp/**\ninclude*\n```\n**Exclude:**\n```\nexclude/*\ntmp/**\n```',
      ['include/**', 'app/**', 'include*'],
      ['exclude/*', 'tmp/**'],
    ],
    ['SCOPE: include/** (exclude: `include/x`)', ['include/**'], ['include/x']],
    ['**SCOPE:** `packages/core`,\n`apps/github-app`.', ['packages/core', 'apps/github-app'], []],
  ])('reads the globs of %j', (document, include, exclude) => {
    expect(scopeOf(document)).toEqual({ include, exclude })
  })

  it('keeps a scope in words as its text', () => {
    expect(parseMission('SCOPE: the billing\n  module')).toMatchObject({
      scope_text: 'the billing module',
    })
  })

  it('knows triggers without an id by their first words', () => {
    const { triggers } = parseMission(
      '## ESCALATION_TRIGGERS\n- `schema drift` — any\n- a leak: any',
    )
    expect([...triggers]).toEqual(['schema drift', 'a leak'])
  })

  it.each([
    '## ESCALATION_TRIGGERS\n\n- trigger_id: auth_bypass\n- id: "leak"\n',
    '## ESCALATION_TRIGGERS\n\n```yaml\n- id: auth_bypass\n  action: halt\n- name: leak\n```\n',
    '## ESCALATION_TRIGGERS\n\n- trigger: auth_bypass\n- trigger: leak\n',
    'ESCALATION_TRIGGERS: auth_bypass, leak\n',
    '**ESCALATION_TRIGGERS:** [auth_bypass, leak]\n',
  ])('reads the names of triggers without an id: %j', (document) => {
    expect([...parseMission(document).triggers]).toEqual(['auth_bypass', 'leak'])
  })

  it.each([
    'ESCALATION_TRIGGERS: none',
    'ESCALATION_TRIGGERS: see below',
    'ESCALATION_TRIGGERS: []',
  ])('declares nothing by %j', (document) => {
    expect([...parseMission(document).triggers]).toEqual([])
  })

  it.each([
    '## ESCALATION_TRIGGERS (hard gates)',
    '## ESCALATION_TRIGGERS — halt on any',
    '## ESCALATION_TRIGGERS that halt',
    '## 6. ESCALATION_TRIGGERS',
    '## §6 ESCALATION_TRIGGERS',
    '## 2.6 ESCALATION_TRIGGERS (hard)',
    '## Section 6: **Escalation triggers**',
    '## Escalation triggers (declared)',
    '## Escalation-triggers',
    '## ESCALATION_TRIGGER',
    '## ⚠️ `ESCALATION_TRIGGERS`',
    '**ESCALATION_TRIGGERS** (halt)',
    '**ESCALATION_TRIGGERS (halt):**',
    'ESCALATION_TRIGGERS (halt):',
  ])('reads the triggers below %j', (heading) => {
    expect([...parseMission(`${heading}\n\n- ET-1 — a write\n`).triggers]).toEqual(['ET-1'])
  })

  it.each([
    ['## SCOPE notes\n\n`app/**`', []],
    ['## SCOPE_NOTES\n\n`app/**`', []],
    ['**SCOPE** (of the brief) is `app/**`', []],
    ['## SCOPE (globs): `app/**`', ['app/**']],
    ['## SCOPE — globs of code\n\n`app/**`', ['app/**']],
  ])('reads the scope of %j as %j', (document, include) => {
    expect(scopeOf(document).include).toEqual(include)
  })

  it('reads a row of a table up to its bar, and no row below it', () => {
    const mission = parseMission(
      '| Field | Value |\n|---|---|\n| MISSION-ID | x-1 |\n| Owner | me |\n' +
        '| **DECISION_TARGET** | Is it so? |\n| Owner | me |\n| SCOPE | app/**, lib/** |\n',
    )
    expect(mission).toMatchObject({ id: 'x-1', target: { whole: 'Is it so?' } })
    expect([...mission.scope.include]).toEqual(['app/**', 'lib/**'])
  })

  it('says null of what is not there', () => {
    expect(parseMission('')).toMatchObject({ id: null, target: null, scope_text: null })
  })
})
