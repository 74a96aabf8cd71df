/**
 * Brings the tables of one mission up to date, from none or from those of an older Worker. Called
 * before the first write only, or where tables are: a mere look at a mission leaves no trace.
 */
export function bringUpTables(sql: SqlStorage): void {
  const done = tablesVersion(sql)
  if (done === STEPS.length) return
  for (const step of STEPS.slice(done)) sql.exec(step)
  sql.exec('DELETE FROM tables')
  sql.exec('INSERT INTO tables (version) VALUES (?)', STEPS.length)
}

/** How many steps were done; 0 where no table is. */
export function tablesVersion(sql: SqlStorage): number {
  const there = sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'tables'`).toArray().length > 0
  return there ? sql.exec<{ version: number }>('SELECT version FROM tables').one().version : 0
}

/** Append only: what a step did in a mission of yesterday is not done again. */
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
