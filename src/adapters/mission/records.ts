import { formatCursor, parseCursor } from '../../domain/cursor.ts'
import type { MissionRecord, MissionRecords, RecordKind } from '../../domain/ledger/records.ts'
import type { Expiry, RecordWrite } from '../../domain/mission/record.ts'
import type { Removal } from '../../domain/mission/step.ts'
import type { Page } from '../../ports.ts'
import { bodyText, partsOf } from './row-size.ts'

/** Keys go to SQLite as one JSON parameter; this many keep it far below 2 MB. */
const KEYS_A_QUERY = 5_000
/** A page ends early rather than exceed what one RPC answer can carry (32 MiB). */
const MAX_PAGE_CHARS = 4_000_000
/** A masking run with 60,000 items; more than the largest request can have. */
const MAX_RECORD_BYTES = 16_000_000
const EXPIRED_AT_ONCE = 100

const SELECT_ROWS = `SELECT *, EXISTS (SELECT 1 FROM record_parts WHERE record = seq) AS split
  FROM records`

export interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly reverse?: boolean | undefined
}

/** Writes records; a body that is too large for a row of SQLite goes on in rows of its own. */
export function saveRecords(
  sql: SqlStorage,
  records: readonly RecordWrite<MissionRecords>[],
): void {
  for (const { kind, key, at, body, due = null } of records) {
    const text = bodyText(`the record ${kind} ${key}`, body, MAX_RECORD_BYTES)
    const [first, ...rest] = partsOf(text)
    const { seq, split } = sql
      .exec<{ seq: number; split: number }>(
        `INSERT INTO records (kind, key, at, body, due) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (kind, key)
         DO UPDATE SET at = excluded.at, body = excluded.body, due = excluded.due
         RETURNING seq, EXISTS (SELECT 1 FROM record_parts WHERE record = seq) AS split`,
        kind,
        key,
        at,
        first,
        due,
      )
      .one()
    if (split === 1) sql.exec('DELETE FROM record_parts WHERE record = ?', seq)
    for (const [part, more] of rest.entries())
      sql.exec('INSERT INTO record_parts (record, part, body) VALUES (?, ?, ?)', seq, part, more)
  }
}

/** The rows of one kind that are due by `now` (unix ms), the longest due first. */
export function dueRecords<Kind extends RecordKind>(
  sql: SqlStorage,
  kind: Kind,
  now: number,
  limit: number,
): readonly MissionRecord<Kind>[] {
  const rows = sql.exec<Row<Kind>>(
    `${SELECT_ROWS} WHERE kind = ? AND due <= ? ORDER BY due, seq LIMIT ?`,
    kind,
    now,
    limit,
  )
  return [...rows].map((row) => stored(row, bodyOf(sql, row)))
}

/** When the next row of a kind is due, in unix ms. */
export function nextRecordDue(sql: SqlStorage, kind: RecordKind): number | null {
  const { due } = sql
    .exec<{ due: number | null }>(
      'SELECT min(due) AS due FROM records WHERE kind = ? AND due IS NOT NULL',
      kind,
    )
    .one()
  return due
}

/** Deletes some of the rows that expired: few at a time, oldest first, so that no change waits. */
export function expireRecords(sql: SqlStorage, { kind, before }: Expiry): void {
  const expired = sql.exec<{ seq: number }>(
    `DELETE FROM records WHERE at < ? AND seq IN
       (SELECT seq FROM records WHERE kind = ? ORDER BY seq LIMIT ?)
     RETURNING seq`,
    before,
    kind,
    EXPIRED_AT_ONCE,
  )
  for (const { seq } of expired.toArray())
    sql.exec('DELETE FROM record_parts WHERE record = ?', seq)
}

/** Deletes single rows. */
export function removeRecords(sql: SqlStorage, removed: readonly Removal[]): void {
  for (const { kind, key } of removed) {
    const gone = sql.exec<{ seq: number }>(
      'DELETE FROM records WHERE kind = ? AND key = ? RETURNING seq',
      kind,
      key,
    )
    for (const { seq } of gone.toArray()) sql.exec('DELETE FROM record_parts WHERE record = ?', seq)
  }
}

/** The rows of one kind with these keys, in their order of insertion. */
export function findRecords<Kind extends RecordKind>(
  sql: SqlStorage,
  kind: Kind,
  keys: readonly string[],
): readonly MissionRecord<Kind>[] {
  const found: MissionRecord<Kind>[] = []
  for (let from = 0; from < keys.length; from += KEYS_A_QUERY) {
    const rows = sql.exec<Row<Kind>>(
      `${SELECT_ROWS} WHERE kind = ? AND key IN (SELECT value FROM json_each(?))`,
      kind,
      JSON.stringify(keys.slice(from, from + KEYS_A_QUERY)),
    )
    for (const row of rows) found.push(stored(row, bodyOf(sql, row)))
  }
  // Asked for their order, SQLite would walk every row of the kind instead of finding these.
  return found.sort((a, b) => a.seq - b.seq)
}

/** A page of one kind by sequence. The cursor of another list ends the list. */
export function pageRecords<Kind extends RecordKind>(
  sql: SqlStorage,
  kind: Kind,
  { cursor, limit, reverse = false }: PageRequest,
): Page<MissionRecord<Kind>> {
  const after = cursor === undefined ? (reverse ? Number.MAX_SAFE_INTEGER : 0) : seqOf(cursor)
  if (after === null) return { items: [], next_cursor: null }
  const rows = sql.exec<Row<Kind>>(
    reverse
      ? `${SELECT_ROWS} WHERE kind = ? AND seq < ? ORDER BY seq DESC LIMIT ?`
      : `${SELECT_ROWS} WHERE kind = ? AND seq > ? ORDER BY seq LIMIT ?`,
    kind,
    after,
    limit + 1,
  )
  const items: MissionRecord<Kind>[] = []
  let chars = 0
  for (const row of rows) {
    const body = bodyOf(sql, row)
    chars += body.length
    const last = items.at(-1)
    const full = items.length >= limit || chars > MAX_PAGE_CHARS
    if (full && last !== undefined) return { items, next_cursor: formatCursor([last.seq]) }
    items.push(stored(row, body))
  }
  return { items, next_cursor: null }
}

interface Row<Kind extends RecordKind> extends Record<string, SqlStorageValue> {
  readonly seq: number
  readonly kind: Kind
  readonly key: string
  readonly at: string
  readonly body: string
  /** 1 where the body goes on in rows of its own. */
  readonly split: number
}

const stored = <Kind extends RecordKind>(
  { seq, kind, key, at }: Row<Kind>,
  body: string,
): MissionRecord<Kind> => ({
  seq,
  kind,
  key,
  at,
  body: JSON.parse(body) as MissionRecords[Kind],
})

function bodyOf(sql: SqlStorage, row: Row<RecordKind>): string {
  if (row.split === 0) return row.body
  const rest = sql.exec<{ body: string }>(
    'SELECT body FROM record_parts WHERE record = ? ORDER BY part',
    row.seq,
  )
  return row.body + [...rest].map(({ body }) => body).join('')
}

function seqOf(cursor: string): number | null {
  const key = parseCursor(cursor)
  return key?.length === 1 && typeof key[0] === 'number' ? key[0] : null
}
