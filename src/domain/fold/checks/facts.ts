import type { CountTokens } from '../../tokens.ts'
import type { SectionNumber } from '../documents/contract.ts'
import type { FindingsDocument } from '../documents/findings/finding.ts'
import type { FoldDocument, Section } from '../documents/fold-document.ts'
import type { IndexLines } from '../documents/index-lines.ts'
import type { MissionDocument } from '../documents/mission-document.ts'
import type { Position } from '../markdown/position.ts'
import type { Sentence } from '../sentences/sentences.ts'

/** What the Memex said of an excerpt ref when the operation looked it up and hashed it again. */
export type RefState = 'ok' | 'missing' | 'corrupt'

/** All that the checks judge: the three documents read, and what was looked up for them. */
export interface Facts {
  readonly mission: MissionDocument
  readonly findings: FindingsDocument
  readonly fold: FoldDocument
  readonly index: IndexLines
  readonly sentences: readonly Sentence[]
  /** Triggers that fired: those of findings.md's log and those that the mission recorded. */
  readonly fired: ReadonlySet<string>
  readonly resolved_refs: ReadonlyMap<string, RefState> | null
  readonly count: CountTokens
}

/** The first section with that number, or null. */
export const sectionOf = (fold: FoldDocument, number: SectionNumber): Section | null =>
  fold.sections.find((section) => section.number === number) ?? null

/**
 * Where something missing from a section should stand: at its heading; where that is missing too, at
 * the next section's heading, or in the fold's last line.
 */
export function placeOf(fold: FoldDocument, number: SectionNumber): Position {
  const next = fold.sections.find((section) => section.number >= number)
  const { line, column } = sectionOf(fold, number)?.heading ??
    next?.heading ?? { line: fold.last_line, column: 1 }
  return { line, column }
}
