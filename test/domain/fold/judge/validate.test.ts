import { describe, expect, it } from 'vitest'
import { verdict } from '../../../../src/domain/fold/checks/verdict.ts'
import { allIssues, FINDINGS, FOLD, judge, MISSION } from '../../../support/fold-case.ts'

const twins: readonly (readonly [string, (text: string) => string])[] = [
  ['CRLF', (text) => text.replaceAll('\n', '\r\n')],
  ['lone CR', (text) => text.replaceAll('\n', '\r')],
  ['a BOM', (text) => `\ufeff${text}`],
  ['a BOM and CRLF', (text) => `\ufeff${text.replaceAll('\n', '\r\n')}`],
]

describe('validateFold', () => {
  it("accepts a fold in the seed's own form", () => {
    const judged = judge({ trajectory_tokens: 4000 })
    expect(allIssues(judged)).toEqual([])
    expect(judged).toMatchObject({
      accepted: true,
      rules_version: 2,
      warnings: [],
      counts: { findings: 2, gaps: 1, triggers: 1, sentences: 3 },
      tokens: { encoding: 'o200k_base' },
    })
    expect(judged.fold_ratio).toBe((judged.tokens.fold ?? 0) / 4000)
    expect(verdict.parse(judged)).toEqual(judged)
  })

  it('names the eleven checks in order and marks the six of the contract', () => {
    const { checks } = judge({ resolved_refs: new Map() })
    expect(checks.map(({ id, contract }) => [id, contract])).toEqual([
      ['findings_indexed', true],
      ['gaps_listed', true],
      ['triggers_logged', true],
      ['answer_within_200_tokens', true],
      ['fold_within_2000_tokens', true],
      ['sentences_cite_findings', true],
      ['sections_in_order', false],
      ['header_verbatim', false],
      ['index_is_flat', false],
      ['no_invented_ids', false],
      ['refs_resolve', false],
    ])
    expect(judge().checks.map(({ id }) => id)).not.toContain('refs_resolve')
  })

  it.each(twins)('gives the same bytes for twins with %s', (_name, twin) => {
    const changed = judge({
      mission_md: twin(MISSION),
      findings_md: twin(FINDINGS),
      fold_md: twin(FOLD),
      trajectory_tokens: 3000,
    })
    expect(JSON.stringify(changed)).toBe(JSON.stringify(judge({ trajectory_tokens: 3000 })))
    const broken = FOLD.replace(' [FINDING-017].', '.')
    expect(JSON.stringify(judge({ fold_md: twin(broken) }))).toBe(
      JSON.stringify(judge({ fold_md: broken })),
    )
  })

  it('rejects empty documents instead of failing on them', () => {
    for (const document of ['', '\ufeff', '\n', ' \t\r\n']) {
      expect(judge({ fold_md: document }).accepted).toBe(false)
      expect(judge({ findings_md: document }).accepted).toBe(false)
      expect(judge({ mission_md: document }).accepted).toBe(false)
    }
  })
})
