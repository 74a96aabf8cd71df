import type { Change } from '../../domain/ledger/transition.ts'
import type { DueName } from '../../domain/mission/step.ts'

const FIRST_BACKOFF_MS = 5_000
const LAST_BACKOFF_MS = 10 * 60_000

/** A job that the alarm does. */
export interface Due {
  readonly name: DueName
  /** Unix ms. */
  readonly at: number
  /** How often it failed since it last went well. */
  readonly tries: number
  /** How far the job is, in its own count; it begins at 0. */
  readonly step: number
}

/** When a job wants to go on, and with what; null when it is done. */
export type Next = { readonly at: number; readonly step: number } | null

/** Takes over when to do what: null cancels. A time that is there already keeps its tries. */
export function putDue(sql: SqlStorage, due: Change['due']): void {
  for (const [name, at] of Object.entries(due)) {
    if (at === null) sql.exec('DELETE FROM due WHERE name = ?', name)
    else
      sql.exec(
        `INSERT INTO due (name, at, tries, step) VALUES (?, ?, 0, 0)
         ON CONFLICT (name) DO UPDATE SET at = excluded.at, tries = 0, step = 0
         WHERE at <> excluded.at`,
        name,
        at,
      )
  }
}

/** Makes sure that a job is done some time, without hurrying one that waits after a failure. */
export const ensureDue = (sql: SqlStorage, name: DueName, at: number): void => {
  sql.exec(
    'INSERT INTO due (name, at, tries, step) VALUES (?, ?, 0, 0) ON CONFLICT DO NOTHING',
    name,
    at,
  )
}

export const findDue = (sql: SqlStorage, name: DueName): Due | undefined =>
  sql.exec<DueRow>('SELECT name, at, tries, step FROM due WHERE name = ?', name).toArray()[0]

export const readyDue = (sql: SqlStorage, now: number): readonly Due[] =>
  sql.exec<DueRow>('SELECT name, at, tries, step FROM due WHERE at <= ? ORDER BY at', now).toArray()

export function nextDueAt(sql: SqlStorage): number | null {
  const { at } = sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM due').one()
  return at
}

/** Notes how a job went on. A job that was set anew while it ran keeps its new time. */
export function settleDue(sql: SqlStorage, due: Due, next: Next): void {
  if (next === null) sql.exec('DELETE FROM due WHERE name = ? AND at = ?', due.name, due.at)
  else
    sql.exec(
      'UPDATE due SET at = ?, tries = 0, step = ? WHERE name = ? AND at = ?',
      next.at,
      next.step,
      due.name,
      due.at,
    )
}

/** Puts a failed job off: 5 s, doubling, at most 10 min. It is never given up. */
export function postponeDue(sql: SqlStorage, due: Due, now: number): void {
  const wait = Math.min(FIRST_BACKOFF_MS * 2 ** due.tries, LAST_BACKOFF_MS)
  sql.exec(
    'UPDATE due SET at = ?, tries = ? WHERE name = ? AND at = ?',
    now + wait,
    due.tries + 1,
    due.name,
    due.at,
  )
}

interface DueRow extends Due, Record<string, SqlStorageValue> {
  readonly name: DueName
  readonly at: number
  readonly tries: number
  readonly step: number
}
