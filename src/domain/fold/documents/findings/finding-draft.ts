import type { Tier } from '../contract.ts'
import type { Finding } from './finding.ts'

const NOTHING: ReadonlySet<never> = new Set()

/** A finding while its document is being read; its sets are made when they get a first member. */
export interface FindingDraft {
  readonly id: string
  readonly line: number
  has_record: boolean
  ruled_out: boolean
  /** Whether the book's keys are used in its record. */
  keyed: boolean
  tiers?: Set<Tier>
  /** Anchors of `path:` and `lines:` pairs. */
  evidence?: Set<string>
  /** Anchors in backticks or behind the word evidence; they count where no pairs give any. */
  marked?: Set<string>
  /** Other anchors in running text; they count where nothing else gives any. */
  inline?: Set<string>
  ruled_out_paths?: Set<string>
  refs?: Set<string>
}

export const draftOf = (id: string, line: number): FindingDraft => ({
  id,
  line,
  has_record: false,
  ruled_out: false,
  keyed: false,
})

export const findingOf = (draft: FindingDraft): Finding => ({
  id: draft.id,
  line: draft.line,
  has_record: draft.has_record,
  tiers: draft.tiers ?? NOTHING,
  anchors: draft.evidence ?? draft.marked ?? draft.inline ?? NOTHING,
  asides: (draft.evidence === undefined && draft.marked && draft.inline) || NOTHING,
  ruled_out: draft.ruled_out || (draft.keyed ? false : null),
  ruled_out_paths: draft.ruled_out_paths ?? NOTHING,
  refs: draft.refs ?? NOTHING,
})
