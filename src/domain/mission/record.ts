/**
 * What a mission remembers one by one, beside its state: append-only rows of the mission's object,
 * found by (kind, key) and paged by sequence. A kind is a log or an index of its own.
 */
export type RecordKind =
  | 'sample'
  | 'masking'
  | 'mask'
  | 'mask_ref'
  | 'conversation'
  | 'answered'
  | 'observed'
  | 'observed_call'
  | 'heard'
  | 'cost'
  | 'artifact'
  | 'escalation'
  | 'verdict'
  | 'extract'
  | 'extracted'
  | 'summary'
  | 'breadcrumb'
  | 'day'
  | 'block'
  | 'retention'
  | 'delegation'
  | 'receipt'
  | 'delivery'
  | 'event'

/** A row to write: a second one with the same (kind, key) replaces the body and keeps the place. */
export interface RecordWrite {
  readonly kind: RecordKind
  readonly key: string
  readonly at: string
  readonly body: unknown
  /** When the alarm has to look at it, in unix ms; null or nothing for never. */
  readonly due?: number | null
}

/** A row as it was stored; `seq` grows within the mission and never repeats. */
export interface StoredRecord extends RecordWrite {
  readonly seq: number
}

/** Rows of a kind that are of no use any more: those from before a time, ISO 8601 UTC. */
export interface Expiry {
  readonly kind: RecordKind
  readonly before: string
}

/** Finds in rows that were read before. */
export const findIn =
  (records: readonly StoredRecord[]): Find =>
  (kind, keys) =>
    records.filter((record) => record.kind === kind && keys.includes(record.key))

/** Looks up stored rows of one kind by key, synchronously, inside a transition. */
export type Find = (kind: RecordKind, keys: readonly string[]) => readonly StoredRecord[]
