import { utf8Length } from '../../domain/bytes.ts'
import type { LogRow } from '../../domain/log/row.ts'

/** D1 takes 2,000,000 bytes in one parameter; a statement carries its rows in one, as JSON. */
const MAX_PARAMETER_BYTES = 1_500_000

/** A statement and its only parameter: a JSON list of rows. */
interface Upsert {
  readonly sql: string
  readonly rows: string
}

/**
 * The statements that write rows, in the order of the rows within each table. Rows travel as JSON and
 * are unpacked by `json_each`, so the 100-parameter limit is never near and a masking run with any
 * number of items is two statements. Each is an upsert by key: written twice is written once.
 */
export function upsertsOf(rows: readonly LogRow[]): readonly Upsert[] {
  const items = rows.flatMap((row) =>
    row.table === 'masking' ? row.items.map((item) => ({ ...item, ...runOf(row) })) : [],
  )
  return [
    ...TABLES.flatMap(({ name, sql }) =>
      chunked(
        sql,
        rows.filter(({ table }) => table === name),
      ),
    ),
    ...chunked(ITEMS, items),
  ]
}

const runOf = ({ tenant, mission, id }: LogRow & { table: 'masking' }) => ({
  tenant,
  mission,
  run: id,
})

function chunked(sql: string, rows: readonly object[]): readonly Upsert[] {
  const upserts: Upsert[] = []
  let chunk: string[] = []
  let bytes = 0
  for (const row of rows) {
    const text = JSON.stringify({ ...row, items: undefined })
    const length = utf8Length(text) + 1
    if (length > MAX_PARAMETER_BYTES)
      throw new Error(`a log row has ${length} bytes, over the limit of ${MAX_PARAMETER_BYTES}`)
    if (bytes + length > MAX_PARAMETER_BYTES) {
      upserts.push({ sql, rows: `[${chunk.join()}]` })
      chunk = []
      bytes = 0
    }
    chunk.push(text)
    bytes += length
  }
  if (chunk.length > 0) upserts.push({ sql, rows: `[${chunk.join()}]` })
  return upserts
}

interface Target {
  readonly table: string
  readonly key: string
  readonly columns: string
  /** When a row that is there already gives way; never when absent. */
  readonly update?: string
}

function upsert({ table, key, columns, update }: Target): string {
  const names = columns.split(', ')
  const values = [...key.split(', '), ...names].map((column) => `value ->> '$.${column}'`)
  const set = names.map((column) => `${column} = excluded.${column}`)
  return [
    `INSERT INTO ${table} (${key}, ${columns})`,
    // `WHERE true` tells SQLite that ON belongs to the upsert, not to a join.
    `SELECT ${values.join(', ')} FROM json_each(?1) WHERE true`,
    `ON CONFLICT (${key}) DO`,
    update === undefined ? 'NOTHING' : `UPDATE SET ${set.join(', ')} WHERE ${update}`,
  ].join('\n')
}

const TABLES: readonly { readonly name: LogRow['table']; readonly sql: string }[] = [
  {
    name: 'missions',
    sql: upsert({
      table: 'missions',
      key: 'tenant, mission',
      columns:
        'version, status, phase, fold, model, window_tokens, percent, zone, created_at, updated_at',
      update: 'excluded.version > missions.version',
    }),
  },
  {
    name: 'masking',
    sql: upsert({
      table: 'masking',
      key: 'tenant, mission, id',
      columns: 'at, line, masked, percent',
    }),
  },
  {
    name: 'summaries',
    sql: upsert({
      table: 'summaries',
      key: 'tenant, mission, id',
      columns: 'at, line, turn_from, turn_to, saved_tokens, percent',
    }),
  },
  {
    name: 'escalations',
    sql: upsert({
      table: 'escalations',
      key: 'tenant, mission, id',
      columns: 'at, trigger, status, body',
      update: 'true',
    }),
  },
  {
    name: 'folds',
    sql: upsert({
      table: 'folds',
      key: 'tenant, mission, id',
      columns: 'at, accepted, fold_tokens, trajectory_tokens, fold_ratio',
      // The size of a trajectory can become known after the fold was judged.
      update: 'folds.fold_ratio IS NULL',
    }),
  },
]

const ITEMS = upsert({
  table: 'masking_items',
  key: 'tenant, mission, run, pointer',
  columns: 'call_id, tool, turn, decision, ref, bytes, tokens, saved_tokens',
})
