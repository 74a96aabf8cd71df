import type { Occurrence } from '../../src/domain/ledger/event.ts'
import type { RecordKind } from '../../src/domain/ledger/records.ts'

/**
 * A mission's object as it was before it told what a newer Worker wrote: it writes its own version of
 * the tables over any other, and its state without a schema. What it stores and how is kept as it
 * was, so nothing here may be shared with `src/`; of what happens it only keeps count.
 */
export class OldMission {
  readonly #storage: DurableObjectStorage
  readonly #sql: SqlStorage
  #hasTables: boolean

  constructor({ storage }: DurableObjectState) {
    this.#storage = storage
    this.#sql = storage.sql
    this.#hasTables = tablesVersion(this.#sql) > 0
    if (this.#hasTables) storage.transactionSync(() => bringUpTables(this.#sql))
  }

  async read() {
    return this.#hasTables ? (loadState(this.#sql)?.state ?? null) : null
  }

  /** An event becomes a version of the state and a sample. */
  async apply(occurrence: Occurrence, call: string) {
    const state = this.#storage.transactionSync(() => this.#applied(occurrence, call))
    this.#hasTables = true
    return state
  }

  async page(kind: RecordKind) {
    if (!this.#hasTables) return []
    const rows = this.#sql.exec<Row>(
      'SELECT * FROM records WHERE kind = ? AND seq > ? ORDER BY seq LIMIT ?',
      kind,
      0,
      1001,
    )
    const split = splitRecords(this.#sql)
    return [...rows].map((row) => ({
      key: row.key,
      body: JSON.parse(bodyOf(this.#sql, row, split)) as unknown,
    }))
  }

  #applied({ at, event, mission, tenant }: Occurrence, call: string): OldState {
    if (!this.#hasTables) bringUpTables(this.#sql)
    const stored = loadState(this.#sql)
    if (stored?.calls.includes(call) === true) return stored.state
    const before = stored?.state ?? { ...OPENED, tenant, mission, created_at: at }
    const state = { ...before, version: before.version + 1, updated_at: at }
    saveState(this.#sql, state, [...(stored?.calls ?? []), call])
    saveRecord(this.#sql, 'sample', `${at} ${state.version}`, at, event)
    return state
  }
}

/** A state as the first Workers stored it: the parts that came later are not there. */
const OPENED = {
  tenant: '',
  mission: '',
  version: 0,
  status: 'active',
  phase: 'assess',
  fold: 'none',
  settings: {},
  created_at: '',
  updated_at: '',
}
type OldState = typeof OPENED

function bringUpTables(sql: SqlStorage): void {
  const done = tablesVersion(sql)
  if (done === STEPS.length) return
  for (const step of STEPS.slice(done)) sql.exec(step)
  sql.exec('DELETE FROM tables')
  sql.exec('INSERT INTO tables (version) VALUES (?)', STEPS.length)
}

function tablesVersion(sql: SqlStorage): number {
  const there = sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'tables'`).toArray().length > 0
  return there ? sql.exec<{ version: number }>('SELECT version FROM tables').one().version : 0
}

function loadState(sql: SqlStorage) {
  const [row] = sql
    .exec<{ body: string; calls: string }>('SELECT body, calls FROM state WHERE id = 1')
    .toArray()
  if (row === undefined) return null
  return {
    state: JSON.parse(row.body) as OldState,
    calls: JSON.parse(row.calls) as readonly string[],
  }
}

function saveState(sql: SqlStorage, state: OldState, calls: readonly string[]): void {
  sql.exec(
    `INSERT INTO state (id, body, calls) VALUES (1, ?, ?)
     ON CONFLICT (id) DO UPDATE SET body = excluded.body, calls = excluded.calls`,
    JSON.stringify(state),
    JSON.stringify(calls.slice(-16)),
  )
}

const PART_CHARS = 500_000

function saveRecord(sql: SqlStorage, kind: string, key: string, at: string, body: unknown): void {
  const split = splitRecords(sql)
  const text = JSON.stringify(body)
  const { seq } = sql
    .exec<{ seq: number }>(
      `INSERT INTO records (kind, key, at, body, due) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, key)
       DO UPDATE SET at = excluded.at, body = excluded.body, due = excluded.due
       RETURNING seq`,
      kind,
      key,
      at,
      text.slice(0, PART_CHARS),
      null,
    )
    .one()
  if (split.has(seq)) sql.exec('DELETE FROM record_parts WHERE record = ?', seq)
  for (let from = PART_CHARS; from < text.length; from += PART_CHARS)
    sql.exec(
      'INSERT INTO record_parts (record, part, body) VALUES (?, ?, ?)',
      seq,
      from / PART_CHARS - 1,
      text.slice(from, from + PART_CHARS),
    )
}

interface Row extends Record<string, SqlStorageValue> {
  readonly seq: number
  readonly key: string
  readonly body: string
}

const splitRecords = (sql: SqlStorage): ReadonlySet<number> =>
  new Set(
    sql
      .exec<{ record: number }>('SELECT DISTINCT record FROM record_parts')
      .toArray()
      .map(({ record }) => record),
  )

function bodyOf(sql: SqlStorage, row: Row, split: ReadonlySet<number>): string {
  if (!split.has(row.seq)) return row.body
  const rest = sql.exec<{ body: string }>(
    'SELECT body FROM record_parts WHERE record = ? ORDER BY part',
    row.seq,
  )
  return row.body + [...rest].map(({ body }) => body).join('')
}

const STEPS: readonly string[] = [
  `
CREATE TABLE tables (version INTEGER NOT NULL) STRICT;

CREATE TABLE state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  body TEXT NOT NULL,
  calls TEXT NOT NULL
) STRICT;

CREATE TABLE records (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  due INTEGER,
  UNIQUE (kind, key)
) STRICT;

CREATE INDEX records_by_kind ON records (kind, seq);

CREATE INDEX records_by_due ON records (kind, due) WHERE due IS NOT NULL;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE due (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  step INTEGER NOT NULL
) STRICT;
`,
  `
CREATE TABLE record_parts (
  record INTEGER NOT NULL,
  part INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (record, part)
) STRICT;
`,
]
