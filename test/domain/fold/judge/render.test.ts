import { describe, expect, it } from 'vitest'
import { renderVerdict } from '../../../../src/domain/fold/judge/render.ts'
import { FOLD, foldWith, judge } from '../../../support/fold-case.ts'

const render = (fold_md: string): string => renderVerdict(judge({ fold_md }), 'fold.md', fold_md)

describe('renderVerdict', () => {
  it('says of an accepted fold what it holds and costs', () => {
    const verdict = judge({ trajectory_tokens: 5000 })
    const { answer, fold } = verdict.tokens
    expect(renderVerdict(verdict, 'fold.md', FOLD)).toBe(
      `fold.md: accepted\n2 findings, 1 gaps, 1 triggers, 3 sentences; answer ${answer} of 200, fold ${fold} of 2000 tokens, fold_ratio 0.0494`,
    )
  })

  it('shows each issue with its check, its line and a caret', () => {
    const text = render(foldWith('FINDING-021 | M |', 'FINDING-021 | L |'))
    expect(text).toContain(
      [
        'index_is_flat',
        '  fold.md:18:15: FINDING-021 is M in findings.md, not L. [tier_differs]',
        '    18 | FINDING-021 | L | lib/tasks/**  (ruled_out)',
        '       |               ^',
        '       = Copy the confidence of the finding.',
      ].join('\n'),
    )
    expect(text).toContain('fold.md: rejected, 1 of 10 checks failed')
    expect(render(foldWith(' [FINDING-021, GAP-003]', ''))).toContain(
      'sentences_cite_findings (contract)',
    )
  })

  it('keeps the caret below its column behind tabs and wide characters', () => {
    const text = render(foldWith('GAP-003 — open:', '\t消費 GAP-003 — open:\n\nGAP-003: also,'))
    expect(text).not.toContain('gaps_listed')
    const invented = render(foldWith('GAP-003 — open:', '\t消費 GAP-9\nGAP-003 — open:'))
    expect(invented).toContain('    22 | \t消費 GAP-9\n       | \t     ^')
  })

  it('shows of a long line the part around its column', () => {
    const text = render(
      foldWith('GAP-003 — open:', `GAP-003 — open: ${'a'.repeat(500)} GAP-9 ${'b'.repeat(500)}`),
    )
    const shown = text.split('\n').find((line) => line.includes('GAP-9 b')) ?? ''
    expect(shown).toMatch(/^ {4}22 \| …a+ GAP-9 b+…$/)
    expect(shown.length).toBeLessThan(120)
  })

  it('lets no document steer the terminal', () => {
    const text = render(
      foldWith('GAP-003 — open:', '\u001b[2J GAP-9 \u202e\u0007\u2028\u0000\nGAP-003 — open:'),
    )
    expect(text).toContain('\ufffd[2J GAP-9 \ufffd\ufffd\ufffd\ufffd')
    for (const mark of '\u001b\u202e\u0007\u2028\u0000') expect(text).not.toContain(mark)
  })

  it('shows what is missing from an empty fold, and warnings', () => {
    expect(render('')).toContain(
      '  fold.md:1:1: Section 1. Mission header is missing. [section_missing]\n    1 |\n      | ^',
    )
    expect(render(`Here.\n\n${FOLD}`)).toContain('warning text_before_sections: fold.md line 1')
    expect(render(FOLD + ' '.repeat(300_000))).toContain('fold over 2000 of 2000 tokens')
  })
})
