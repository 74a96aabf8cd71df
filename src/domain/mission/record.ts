/**
 * What a mission remembers one by one, beside its state: append-only rows of the mission's object,
 * found by (kind, key) and paged by sequence. A kind is a log or an index of its own; each feature
 * declares `Bodies`, a map from each of its kinds to the body of its rows.
 */
export type KindOf<Bodies> = keyof Bodies & string

/** A row to write: a second one with the same (kind, key) replaces the body and keeps the place. */
export type RecordWrite<Bodies, Kind extends KindOf<Bodies> = KindOf<Bodies>> = {
  readonly [K in Kind]: {
    readonly kind: K
    readonly key: string
    readonly at: string
    readonly body: Bodies[K]
    /** When the alarm has to look at it, in unix ms; null or nothing for never. */
    readonly due?: number | null
  }
}[Kind]

/** A row as it was stored; `seq` grows within the mission and never repeats. */
export type StoredRecord<Bodies, Kind extends KindOf<Bodies> = KindOf<Bodies>> = RecordWrite<
  Bodies,
  Kind
> & { readonly seq: number }

/** Rows of a kind that are of no use any more: those from before a time, ISO 8601 UTC. */
export interface Expiry<Kind extends string = string> {
  readonly kind: Kind
  readonly before: string
}

/** Looks up stored rows of one kind by key, synchronously, inside a transition. */
export type Find<Bodies> = <Kind extends KindOf<Bodies>>(
  kind: Kind,
  keys: readonly string[],
) => readonly StoredRecord<Bodies, Kind>[]

/** Whether a row is of a kind, and so is its body. */
export const isOf = <Bodies, Kind extends KindOf<Bodies>>(
  kind: Kind,
  row: RecordWrite<Bodies>,
): row is RecordWrite<Bodies, Kind> => row.kind === kind

/** Finds in rows that were read before. */
export const findIn =
  <Bodies>(rows: readonly StoredRecord<Bodies>[]): Find<Bodies> =>
  <Kind extends KindOf<Bodies>>(kind: Kind, keys: readonly string[]) =>
    rows.filter(
      (row): row is StoredRecord<Bodies, Kind> => isOf(kind, row) && keys.includes(row.key),
    )
