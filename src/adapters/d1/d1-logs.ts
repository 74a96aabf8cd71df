import type { CursorKey } from '../../domain/cursor.ts'
import { formatCursor, parseCursor } from '../../domain/cursor.ts'
import type { FoldRow, MaskingRow, MissionRow } from '../../domain/log/row.ts'
import type { Logs, Page } from '../../ports.ts'
import { retry, systemPatience, within } from '../retry.ts'
import { isTransient } from './d1-errors.ts'
import { readItems } from './masking-items.ts'
import { upsertsOf } from './upserts.ts'

/** D1 was seen to stall for 30 to 80 s; a try that is given up is repeated, as all is idempotent. */
const TRY_MS = 5_000
/** The most items that a page of masking runs carries, so that one answer stays a few MB. */
const MAX_PAGE_ITEMS = 5_000

const TABLES = ['missions', 'masking', 'masking_items', 'summaries', 'escalations', 'folds']

/** The logs across missions in D1. Lists are newest first; the cursor of another list ends the list. */
export function createD1Logs(db: D1Database, patience = systemPatience): Logs {
  const patiently = <T>(work: () => Promise<T>): Promise<T> =>
    retry(patience, isTransient, () => within(TRY_MS, work()))

  const select = <T>(sql: string, parameters: readonly (string | number | null)[]) =>
    patiently(
      async () =>
        (
          await db
            .prepare(sql)
            .bind(...parameters)
            .all<T>()
        ).results,
    )

  return {
    write: async (rows) => {
      const statements = upsertsOf(rows).map((upsert) => db.prepare(upsert.sql).bind(upsert.rows))
      if (statements.length > 0) await patiently(() => db.batch(statements))
    },

    missions: async (tenant, { status, q, mission, cursor, limit }) => {
      const after = keyAfter(cursor, 2)
      if (after === null) return EMPTY
      const rows = await select<Omit<MissionRow, 'table'>>(
        `SELECT * FROM missions
         WHERE tenant = ?1
           AND (?2 IS NULL OR status = ?2)
           AND (?3 IS NULL OR instr(mission, ?3) > 0)
           AND (?4 IS NULL OR mission = ?4)
           AND (?5 IS NULL OR (created_at, mission) < (?5, ?6))
         ORDER BY created_at DESC, mission DESC LIMIT ?7`,
        [tenant, status ?? null, q ?? null, mission ?? null, ...after, limit + 1],
      )
      return pageOf(
        rows.map((row) => ({ table: 'missions' as const, ...row })),
        limit,
        (row) => [row.created_at, row.mission],
      )
    },

    masking: async (tenant, { tool, since, mission, cursor, limit }) => {
      const after = keyAfter(cursor, 3)
      if (after === null) return EMPTY
      const runs = await select<RunRow>(
        `SELECT *, (
           SELECT count(*) FROM masking_items AS item
           WHERE (item.tenant, item.mission, item.run) = (masking.tenant, masking.mission, masking.id)
         ) AS item_count
         FROM masking
         WHERE tenant = ?1
           AND (?2 IS NULL OR EXISTS (
             SELECT 1 FROM masking_items AS item
             WHERE (item.tenant, item.tool) = (?1, ?2)
               AND (item.mission, item.run) = (masking.mission, masking.id)
           ))
           AND (?3 IS NULL OR at >= ?3)
           AND (?4 IS NULL OR mission = ?4)
           AND (?5 IS NULL OR (at, mission, id) < (?5, ?6, ?7))
         ORDER BY at DESC, mission DESC, id DESC LIMIT ?8`,
        [tenant, tool ?? null, since ?? null, mission ?? null, ...after, limit + 1],
      )
      const page = pageOf(runs, fitting(runs, limit), (run) => [run.at, run.mission, run.id])
      const itemsOf = await readItems(select, tenant, page.items)
      return {
        items: page.items.map(({ item_count: _, ...run }) => ({
          table: 'masking',
          ...run,
          items: itemsOf(run),
        })),
        next_cursor: page.next_cursor,
      }
    },

    folds: async (tenant, { mission, measured = false, limit }) => {
      const rows = await select<Omit<FoldRow, 'table'>>(
        `SELECT * FROM folds
         WHERE tenant = ?1
           AND (?2 IS NULL OR mission = ?2)
           AND (?3 = 0 OR fold_ratio IS NOT NULL)
         ORDER BY at DESC, mission DESC, id DESC LIMIT ?4`,
        [tenant, mission ?? null, measured ? 1 : 0, limit],
      )
      return rows.map((row) => ({ table: 'folds', ...row }))
    },

    erase: async ({ tenant, mission }) => {
      const deletions = TABLES.map((table) =>
        db.prepare(`DELETE FROM ${table} WHERE tenant = ?1 AND mission = ?2`).bind(tenant, mission),
      )
      await patiently(() => db.batch(deletions))
    },
  }
}

type RunRow = Omit<MaskingRow, 'table' | 'items'> & { readonly item_count: number }

const EMPTY = { items: [], next_cursor: null }

/** The parameters of a keyset: all null on the first page; null for the cursor of another list. */
function keyAfter(cursor: string | undefined, length: number): readonly (string | null)[] | null {
  if (cursor === undefined) return Array<null>(length).fill(null)
  const key = parseCursor(cursor)
  return key?.length === length && key.every((part) => typeof part === 'string') ? key : null
}

function pageOf<T>(rows: readonly T[], limit: number, keyOf: (row: T) => CursorKey): Page<T> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const more = rows.length > items.length && last !== undefined
  return { items, next_cursor: more ? formatCursor(keyOf(last)) : null }
}

/** How many of the runs go on the page: at least one, and no more items than it can carry. */
function fitting(runs: readonly RunRow[], limit: number): number {
  let items = 0
  const end = runs.findIndex((run, index) => {
    items += run.item_count
    return index > 0 && items > MAX_PAGE_ITEMS
  })
  return end === -1 ? limit : Math.min(end, limit)
}
