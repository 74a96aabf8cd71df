import { describe, expect, it } from 'vitest'
import { parseMission } from '../../../src/domain/fold/mission-document.ts'
import { MISSION } from '../../support/fold-case.ts'

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

  it('says null of what is not there', () => {
    expect(parseMission('')).toMatchObject({ id: null, target: null, scope_text: null })
  })
})
