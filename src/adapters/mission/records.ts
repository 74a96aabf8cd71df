import { formatCursor, parseCursor } from '../../domain/cursor.ts'
import type { Expiry, RecordKind, RecordWrite, StoredRecord } from '../../domain/mission/record.ts'
import type { Page } from '../../ports.ts'
import { rowBody } from './row-size.ts'

/** Keys go to SQLite as one JSON parameter; this many keep it far below 2 MB. */
const KEYS_A_QUERY = 5_000
/** A page ends early rather than exceed what one RPC answer can carry (32 MiB). */
const MAX_PAGE_CHARS = 4_000_000
const EXPIRED_AT_ONCE = 100

export interface PageRequest {
  readonly cursor?: string | undefined
  readonly limit: number
  readonly reverse?: boolean | undefined
}

export function saveRecords(sql: SqlStorage, records: readonly RecordWrite[]): void {
  for (const { kind, key, at, body, due = null } of records)
    sql.exec(
      `INSERT INTO records (kind, key, at, body, due) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, key)
       DO UPDATE SET at = excluded.at, body = excluded.body, due = excluded.due`,
      kind,
      key,
      at,
      rowBody(`the record ${kind} ${key}`, body),
      due,
    )
}

/** The rows of one kind that are due by `now` (unix ms), the longest due first. */
export function dueRecords(
  sql: SqlStorage,
  kind: RecordKind,
  now: number,
  limit: number,
): readonly StoredRecord[] {
  const rows = sql.exec<Row>(
    'SELECT * FROM records WHERE kind = ? AND due <= ? ORDER BY due, seq LIMIT ?',
    kind,
    now,
    limit,
  )
  return [...rows].map(stored)
}

/** When the next row of a kind is due, in unix ms. */
export function nextRecordDue(sql: SqlStorage, kind: RecordKind): number | null {
  const { due } = sql
    .exec<{ due: number | null }>('SELECT min(due) AS due FROM records WHERE kind = ?', kind)
    .one()
  return due
}

/** Deletes some of the rows that expired: few at a time, oldest first, so that no change waits. */
export function expireRecords(sql: SqlStorage, { kind, before }: Expiry): void {
  sql.exec(
    `DELETE FROM records WHERE at < ? AND seq IN
       (SELECT seq FROM records WHERE kind = ? ORDER BY seq LIMIT ?)`,
    before,
    kind,
    EXPIRED_AT_ONCE,
  )
}

/** The rows of one kind with these keys, in their order of insertion. */
export function findRecords(
  sql: SqlStorage,
  kind: RecordKind,
  keys: readonly string[],
): readonly StoredRecord[] {
  const found: StoredRecord[] = []
  for (let from = 0; from < keys.length; from += KEYS_A_QUERY) {
    const rows = sql.exec<Row>(
      `SELECT * FROM records
       WHERE kind = ? AND key IN (SELECT value FROM json_each(?)) ORDER BY seq`,
      kind,
      JSON.stringify(keys.slice(from, from + KEYS_A_QUERY)),
    )
    for (const row of rows) found.push(stored(row))
  }
  return keys.length > KEYS_A_QUERY ? found.sort((a, b) => a.seq - b.seq) : found
}

/** A page of one kind by sequence. The cursor of another list ends the list. */
export function pageRecords(
  sql: SqlStorage,
  kind: RecordKind,
  { cursor, limit, reverse = false }: PageRequest,
): Page<StoredRecord> {
  const after = cursor === undefined ? (reverse ? Number.MAX_SAFE_INTEGER : 0) : seqOf(cursor)
  if (after === null) return { items: [], next_cursor: null }
  const rows = sql.exec<Row>(
    reverse
      ? 'SELECT * FROM records WHERE kind = ? AND seq < ? ORDER BY seq DESC LIMIT ?'
      : 'SELECT * FROM records WHERE kind = ? AND seq > ? ORDER BY seq LIMIT ?',
    kind,
    after,
    limit + 1,
  )
  const items: StoredRecord[] = []
  let chars = 0
  for (const row of rows) {
    chars += row.body.length
    const last = items.at(-1)
    const full = items.length >= limit || chars > MAX_PAGE_CHARS
    if (full && last !== undefined) return { items, next_cursor: formatCursor([last.seq]) }
    items.push(stored(row))
  }
  return { items, next_cursor: null }
}

interface Row extends Record<string, SqlStorageValue> {
  readonly seq: number
  readonly kind: RecordKind
  readonly key: string
  readonly at: string
  readonly body: string
}

const stored = ({ body, ...row }: Row): StoredRecord => ({
  ...row,
  body: JSON.parse(body) as unknown,
})

function seqOf(cursor: string): number | null {
  const key = parseCursor(cursor)
  return key?.length === 1 && typeof key[0] === 'number' ? key[0] : null
}
