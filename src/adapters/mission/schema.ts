/** The tables of one mission. Nothing is created before the first write: a mere look leaves no trace. */
export const createTables = (sql: SqlStorage): void => {
  sql.exec(TABLES)
}

export const hasTables = (sql: SqlStorage): boolean =>
  sql.exec(`SELECT 1 FROM sqlite_master WHERE name = 'state'`).toArray().length > 0

const TABLES = `
CREATE TABLE IF NOT EXISTS state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  body TEXT NOT NULL,
  calls TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS records (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  at TEXT NOT NULL,
  body TEXT NOT NULL,
  due INTEGER,
  UNIQUE (kind, key)
) STRICT;

CREATE INDEX IF NOT EXISTS records_by_kind ON records (kind, seq);

CREATE INDEX IF NOT EXISTS records_by_due ON records (kind, due) WHERE due IS NOT NULL;

CREATE TABLE IF NOT EXISTS outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  part INTEGER NOT NULL,
  parts INTEGER NOT NULL,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS due (
  name TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  step INTEGER NOT NULL
) STRICT;
`
