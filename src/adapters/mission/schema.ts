import { STATE_SCHEMA } from '../../domain/ledger/stored-state.ts'

/**
 * What stands in a mission's storage: nothing, what this Worker or an older one wrote, or what a
 * newer one wrote, which this Worker can neither read nor change without harm.
 */
export type Written = 'nothing' | 'known' | 'newer'

export function writtenIn(sql: SqlStorage): Written {
  const version = tablesVersion(sql)
  if (version === 0) return 'nothing'
  return version > STEPS.length || storedSchema(sql) > STATE_SCHEMA ? 'newer' : 'known'
}

/**
 * Brings the tables of one mission up to date, from none or from those of an older Worker. Called
 * before the first write only, or where tables are: a mere look at a mission leaves no trace.
 */
export function bringUpTables(sql: SqlStorage): void {
  const done = tablesVersion(sql)
  if (done >= STEPS.length) return
  for (const step of STEPS.slice(done)) sql.exec(step)
  if (done === 0) sql.exec('INSERT INTO tables (version) VALUES (?)', STEPS.length)
  else sql.exec('UPDATE tables SET version = ?', STEPS.length)
}

/** How many steps were done; 0 where no table is. */
const tablesVersion = (sql: SqlStorage): number =>
  hasTable(sql, 'tables')
    ? sql.exec<{ version: number }>('SELECT version FROM tables').one().version
    : 0

/** What the stored state is written in; 0 where none is, or one from before schemas. */
function storedSchema(sql: SqlStorage): number {
  if (!hasTable(sql, 'mission_state')) return 0
  const [row] = sql.exec<{ schema: number }>('SELECT schema FROM mission_state').toArray()
  return row?.schema ?? 0
}

const hasTable = (sql: SqlStorage, name: string): boolean =>
  sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', name).toArray().length > 0

/**
 * Append only: what a step did in a mission of yesterday is not done again. Where it is done again all
 * the same, since somebody lowered the version, it changes nothing.
 */
const STEPS: readonly string[] = [
  `
CREATE TABLE IF NOT EXISTS tables (version INTEGER NOT NULL) STRICT;

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
`,
  `
CREATE TABLE IF NOT EXISTS record_parts (
  record INTEGER NOT NULL,
  part INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (record, part)
) STRICT;
`,
  // A Worker from before this step writes its own version over a higher one, and would write its state
  // over a newer one. Without the table `state` it fails before it writes; the two triggers ignore it
  // when it replaces the version. Of two states the one with more changes stays.
  `
CREATE TABLE IF NOT EXISTS mission_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  schema INTEGER NOT NULL,
  body TEXT NOT NULL,
  calls TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  body TEXT NOT NULL,
  calls TEXT NOT NULL
) STRICT;

INSERT INTO mission_state (id, schema, body, calls) SELECT id, 0, body, calls FROM state WHERE true
ON CONFLICT (id) DO UPDATE SET schema = excluded.schema, body = excluded.body, calls = excluded.calls
WHERE excluded.body ->> 'version' > mission_state.body ->> 'version';

DROP TABLE state;

CREATE TRIGGER IF NOT EXISTS tables_keep_their_version BEFORE DELETE ON tables
BEGIN SELECT RAISE(IGNORE); END;

CREATE TRIGGER IF NOT EXISTS tables_have_one_version BEFORE INSERT ON tables
WHEN EXISTS (SELECT 1 FROM tables)
BEGIN SELECT RAISE(IGNORE); END;
`,
  // A result is named by its turn and its call everywhere, and what an observation was answered is its
  // reply. Masks were kept one row a (call, tool, ref); now all of a call stand together, each with the
  // placeholder that was answered, and an index says where those of a ref are.
  `
INSERT INTO records (kind, key, at, body)
SELECT 'mask', new_key, max(at), json_group_array(json(mask)) FROM (
  SELECT r.at AS at,
    CASE WHEN m.value ->> 'call_id' = '' THEN json_array('', m.value ->> 'tool', m.value ->> 'ref')
      ELSE json_array(m.value ->> 'call_id') END AS new_key,
    json_set(m.value,
      '$.digest', substr(m.value ->> 'ref', 17),
      '$.placeholder', CASE WHEN m.value ->> 'ref' IS NULL
        THEN '[masked: ' || (m.value ->> 'tool') || ' result]'
        ELSE '[Tool: ' || (m.value ->> 'tool') || '. '
          || CASE WHEN m.value ->> 'is_error' THEN 'Error output' ELSE 'Output' END
          || ' masked. See '
          || CASE WHEN m.value ->> 'extract' IS NULL THEN m.value ->> 'ref'
            ELSE 'extract at ' || (m.value ->> 'extract') || ', raw at ' || (m.value ->> 'ref') END
          || CASE WHEN m.value ->> 'form' = 'json' THEN ' as json' ELSE '' END || ']' END,
      '$.at', r.at,
      '$.bytes', 0,
      '$.characters', 0,
      '$.tokens', coalesce(m.value ->> 'saved_tokens', 0) + 57,
      '$.saved_tokens', coalesce(m.value ->> 'saved_tokens', 0)) AS mask
  FROM records AS r, json_each(r.body) AS m
  WHERE r.kind = 'masked' AND json_valid(r.body)
) WHERE true GROUP BY new_key
ON CONFLICT (kind, key) DO NOTHING;

INSERT INTO records (kind, key, at, body)
SELECT 'mask_ref', m.value ->> 'ref', max(r.at), json_group_array(DISTINCT r.key)
FROM records AS r, json_each(r.body) AS m
WHERE r.kind = 'mask' AND m.value ->> 'ref' IS NOT NULL GROUP BY m.value ->> 'ref'
ON CONFLICT (kind, key) DO NOTHING;

DELETE FROM records WHERE kind = 'masked';

INSERT INTO records (kind, key, at, body)
SELECT 'reply', json_array(json_extract(key, '$[1]'), json_extract(key, '$[0]')), at, body
FROM records WHERE kind = 'heard'
ON CONFLICT (kind, key) DO NOTHING;

DELETE FROM records WHERE kind = 'heard';

UPDATE OR IGNORE records SET key =
  json_array(CAST(substr(key, 1, instr(key, '/') - 1) AS INTEGER), substr(key, instr(key, '/') + 1))
WHERE kind = 'retention' AND key NOT LIKE '[%';
`,
]
