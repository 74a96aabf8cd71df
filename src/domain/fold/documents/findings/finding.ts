import { type Position } from '../../markdown/position.ts'
import type { Tier } from '../contract.ts'

/** What findings.md says of one finding. A finding that is only mentioned has no record. */
export interface Finding {
  readonly id: string
  /** The line of findings.md where it is first named. */
  readonly line: number
  readonly has_record: boolean
  readonly tiers: ReadonlySet<Tier>
  /** `path:lines`, or the path where evidence names no lines. */
  readonly anchors: ReadonlySet<string>
  /** What looks like an anchor beside them, as `library/postgres:15` does; a fold may keep it or not. */
  readonly asides: ReadonlySet<string>
  /** Null where a record in prose says neither. */
  readonly ruled_out: boolean | null
  /** Paths and globs that its negative results name. */
  readonly ruled_out_paths: ReadonlySet<string>
  /** `memex://excerpt/…`, as written. */
  readonly refs: ReadonlySet<string>
}

/** What a fold must keep of findings.md; ids in the order of their first mention. */
export interface FindingsDocument {
  readonly findings: ReadonlyMap<string, Finding>
  /** GAP id → line of its first mention. */
  readonly gaps: ReadonlyMap<string, number>
  /** Trigger → line of its first entry in the escalation log. */
  readonly fired: ReadonlyMap<string, number>
  /** ET ids that are mentioned anywhere. */
  readonly trigger_ids: ReadonlySet<string>
  readonly refs: ReadonlySet<string>
  /** A comment that never ends hides findings: no fold of such a document can be trusted. */
  readonly open_comment: Position | null
}
