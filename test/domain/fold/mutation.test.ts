import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Verdict } from '../../../src/domain/fold/checks/verdict.ts'
import { validateFold } from '../../../src/domain/fold/judge/validate.ts'
import {
  findingsOf,
  foldLines,
  missionOf,
  textOf,
  triples,
  type FoldLine,
  type Triple,
} from '../../support/fold-triples.ts'

// Tokens have tests of their own: here no fold is near its limit.
const count = (text: string): number => Math.ceil(text.length / 20)

const judge = (triple: Triple, fold: readonly FoldLine[]): Verdict =>
  validateFold({
    mission_md: missionOf(triple),
    findings_md: findingsOf(triple),
    fold_md: textOf(fold),
    count,
  })

/** What the rejecting issues name: their ids, their messages and their hints. */
const named = ({ checks }: Verdict): string =>
  JSON.stringify(checks.flatMap(({ issues }) => issues))

/** A line's removal, as a whole or of what it is about: what is lost, and the fold without it. */
function removalOf(
  lines: readonly FoldLine[],
  line: FoldLine,
  whole: boolean,
): readonly [lost: string, fold: readonly FoldLine[]] {
  const { kind, about, text, section } = line
  const without = lines.filter((other) => other !== line)
  const changed = (to: string) =>
    lines.map((other) => (other === line ? { ...line, text: to } : other))
  if (kind === 'heading')
    return [about, whole ? lines.filter((other) => other.section !== section) : without]
  if (kind === 'sentence') return [about, changed(text.replace(whole ? ` [${about}]` : about, ''))]
  return [about, whole ? without : changed(text.replace(about, ''))]
}

const KINDS = ['heading', 'field', 'sentence', 'index', 'gap', 'trigger'] as const

describe('validateFold on generated missions', () => {
  it('accepts each of 1,000 triples, and rejects it by name when one thing is removed', () => {
    const mutations = new Map<string, number>()
    const picks = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(triples, picks, (triple, picked) => {
        const lines = foldLines(triple)
        const unchanged = judge(triple, lines)
        if (!unchanged.accepted) throw new Error(`${named(unchanged)}\n${textOf(lines)}`)
        for (const [index, kind] of KINDS.entries()) {
          const candidates = lines.filter((line) => line.kind === kind)
          const [pick = 0, whole = true] = picked[index] ?? []
          const line = candidates[pick % candidates.length]
          if (line === undefined) continue
          const [lost, fold] = removalOf(lines, line, whole)
          const verdict = judge(triple, fold)
          if (verdict.accepted || !named(verdict).includes(lost))
            throw new Error(`${lost} was not missed: ${named(verdict)}\n${textOf(fold)}`)
          mutations.set(kind, (mutations.get(kind) ?? 0) + 1)
        }
      }),
      { numRuns: 1000, seed: 20261130 },
    )
    expect(Math.min(...mutations.values())).toBeGreaterThan(500)
  })

  it('rejects a fold whose ids are other ids: longer, shorter, padded or in another script', () => {
    const swaps: readonly ((id: string) => string)[] = [
      (id) => `${id}0`,
      (id) => id.replace('-', '-0'),
      (id) => id.replace(/\d$/, (digit) => String.fromCharCode(0xff10 + Number(digit))),
      (id) => id.replace('-', '\u2011'),
      (id) => `${id.slice(0, -1)}\u200b${id.slice(-1)}`,
      (id) => id.toLowerCase(),
    ]
    fc.assert(
      fc.property(triples, fc.constantFrom(...swaps), fc.nat(), (triple, swap, pick) => {
        const lines = foldLines(triple)
        const about = triple.findings[pick % triple.findings.length]?.id ?? ''
        const taken = triple.findings.some(({ id }) => id === swap(about))
        fc.pre(!taken)
        const fold = lines.map((line) =>
          line.kind === 'index' && line.about === about
            ? { ...line, text: line.text.replace(about, swap(about)) }
            : line,
        )
        const verdict = judge(triple, fold)
        expect(verdict.checks[0]).toMatchObject({
          id: 'findings_indexed',
          passed: false,
          issues: [{ code: 'finding_missing', id: about }],
        })
      }),
      { numRuns: 300, seed: 20261130 },
    )
  })

  it('gives the same bytes for the same documents, and for their CRLF and BOM twins', () => {
    fc.assert(
      fc.property(triples, (triple) => {
        const documents = {
          mission_md: missionOf(triple),
          findings_md: findingsOf(triple),
          fold_md: textOf(foldLines(triple)),
        }
        const twin = (text: string) => `\ufeff${text.replaceAll('\n', '\r\n')}`
        const bytes = JSON.stringify(validateFold({ ...documents, count }))
        expect(JSON.stringify(validateFold({ ...documents, count }))).toBe(bytes)
        const twins = {
          mission_md: twin(documents.mission_md),
          findings_md: twin(documents.findings_md),
          fold_md: twin(documents.fold_md),
        }
        expect(JSON.stringify(validateFold({ ...twins, count }))).toBe(bytes)
      }),
      { numRuns: 200, seed: 20261130 },
    )
  })

  it('answers any text at all with a verdict', () => {
    const marks = fc.constantFrom(
      ...'# - * ` ``` ~~~ | > [ ] ( ) <!-- --> . 。 { } , " é … １'.split(' '),
      ...'FINDING-1 GAP-1 ET-1 STATUS: SCOPE: a.rb:1 trigger: 2026-11-30T09:12:00Z'.split(' '),
      '## 3. Findings index',
      'id: FINDING-1',
      ...'\n\r \u2028\ufeff\ud800'.split(''),
    )
    const texts = fc.array(marks, { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, texts, texts, (mission_md, findings_md, fold_md) => {
        const verdict = validateFold({
          mission_md,
          findings_md,
          fold_md,
          count,
          trajectory_tokens: 100,
          recorded_triggers: ['ET-1'],
          resolved_refs: new Map(),
        })
        const lines = fold_md.split(/\r\n|\n|\r/)
        for (const { issues } of verdict.checks)
          for (const { line, column } of issues) {
            expect(line).toBeLessThanOrEqual(lines.length)
            expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1)
          }
      }),
      { numRuns: 2000, seed: 20261130 },
    )
  })
})
