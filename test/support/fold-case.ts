import type { CheckId, Issue, Verdict } from '../../src/domain/fold/checks/verdict.ts'
import { validateFold, type FoldInput } from '../../src/domain/fold/judge/validate.ts'
import { count } from './count-tokens.ts'
import { FINDINGS, FOLD, MISSION } from './fold-documents.ts'

export { FINDINGS, FOLD, MISSION }

/** Judges the case with some of its documents changed. */
export const judge = (changes: Partial<FoldInput> = {}): Verdict =>
  validateFold({ mission_md: MISSION, findings_md: FINDINGS, fold_md: FOLD, count, ...changes })

/** A document with one passage replaced; the passage must stand in it exactly once. */
export function withChange(document: string, passage: string, replacement: string): string {
  if (document.split(passage).length !== 2) throw new Error(`not once in the document: ${passage}`)
  return document.replace(passage, () => replacement)
}

export const foldWith = (passage: string, replacement: string): string =>
  withChange(FOLD, passage, replacement)

/** The issues of one check as `code line:column id`. */
export const issuesOf = (verdict: Verdict, check: CheckId): readonly string[] =>
  verdict.checks.find(({ id }) => id === check)?.issues.map(shown) ?? []

/** All issues as `check: code line:column id`. */
export const allIssues = (verdict: Verdict): readonly string[] =>
  verdict.checks.flatMap(({ id, issues }) => issues.map((issue) => `${id}: ${shown(issue)}`))

const shown = ({ code, line, column, id }: Issue): string =>
  `${code} ${line}:${column}${id === undefined ? '' : ` ${id}`}`
