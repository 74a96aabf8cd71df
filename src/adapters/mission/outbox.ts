import type { LogRow } from '../../domain/log/row.ts'
import type { Logs, Report } from '../../ports.ts'
import { partsOf } from './row-size.ts'

const MAX_BATCH_ROWS = 100
const MAX_BATCH_CHARS = 4_000_000
/** After this many failures in a row one of the rows may be to blame: they are sent one by one. */
const SUSPICIOUS_TRIES = 3
/** That many refused rows in a row are not the rows' fault. */
const MAX_REFUSALS = 3

/** Keeps rows for D1; a row that is too large for one row of SQLite is kept in parts. */
export function putOutbox(sql: SqlStorage, rows: readonly LogRow[]): void {
  for (const row of rows) {
    const parts = partsOf(JSON.stringify(row))
    for (const [part, body] of parts.entries())
      sql.exec('INSERT INTO outbox (part, parts, body) VALUES (?, ?, ?)', part, parts.length, body)
  }
}

export const outboxIsEmpty = (sql: SqlStorage): boolean =>
  sql.exec('SELECT 1 FROM outbox WHERE seq > 0 LIMIT 1').toArray().length === 0

/**
 * Writes all kept rows to D1 in their order and drops what D1 has. Throws when rows are left. A crash
 * between the write and the drop writes them twice, which is writing them once.
 */
export async function flushOutbox(
  sql: SqlStorage,
  logs: Logs,
  tries: number,
  report: (entry: Report) => void,
): Promise<void> {
  if (tries >= SUSPICIOUS_TRIES) return await flushOneByOne(sql, logs, report)
  for (;;) {
    const kept = takeOutbox(sql, MAX_BATCH_ROWS, 0)
    const last = kept.at(-1)
    if (last === undefined) return
    await logs.write(kept.map(({ row }) => row))
    sql.exec('DELETE FROM outbox WHERE seq <= ?', last.to)
  }
}

async function flushOneByOne(
  sql: SqlStorage,
  logs: Logs,
  report: (entry: Report) => void,
): Promise<void> {
  let refusal: unknown
  let refusals = 0
  let after = 0
  for (;;) {
    const [kept] = takeOutbox(sql, 1, after)
    if (kept === undefined) break
    after = kept.to
    try {
      await logs.write([kept.row])
      sql.exec('DELETE FROM outbox WHERE seq BETWEEN ? AND ?', kept.from, kept.to)
      refusals = 0
    } catch (error) {
      refusal = error
      const { table } = kept.row
      report({ level: 'error', event: 'log_row_refused', table, error: String(error) })
      if (++refusals >= MAX_REFUSALS) break
    }
  }
  if (refusal !== undefined) throw refusal
}

interface KeptRow {
  readonly row: LogRow
  readonly from: number
  readonly to: number
}

function takeOutbox(sql: SqlStorage, maxRows: number, after: number): readonly KeptRow[] {
  const kept: KeptRow[] = []
  let bodies: string[] = []
  let chars = 0
  const rows = sql.exec<{ seq: number; part: number; parts: number; body: string }>(
    'SELECT seq, part, parts, body FROM outbox WHERE seq > ? ORDER BY seq',
    after,
  )
  for (const { seq, part, parts, body } of rows) {
    bodies.push(body)
    chars += body.length
    if (part + 1 < parts) continue
    kept.push({ row: JSON.parse(bodies.join('')) as LogRow, from: seq - part, to: seq })
    bodies = []
    if (kept.length >= maxRows || chars > MAX_BATCH_CHARS) break
  }
  return kept
}
