/** A statement that ran: its text, what it bound, and its cursor with what it read. */
export interface Statement {
  readonly query: string
  readonly bindings: readonly SqlStorageValue[]
  readonly cursor: SqlStorageCursor<Record<string, SqlStorageValue>>
}

/** Every statement that runs on an object's SQL from now on, as long as the object stays awake. */
export function recordSql(sql: SqlStorage): readonly Statement[] {
  const statements: Statement[] = []
  const exec = ownExec(sql)
  const recorded = (query: string, ...bindings: SqlStorageValue[]) => {
    const cursor = exec(query, ...bindings)
    statements.push({ query, bindings, cursor })
    return cursor
  }
  Object.defineProperty(sql, 'exec', { configurable: true, value: recorded })
  return statements
}

/** How SQLite runs a statement, a line a step. */
export const planOf = (sql: SqlStorage, { query, bindings }: Statement): readonly string[] =>
  ownExec(sql)<{ detail: string }>(`EXPLAIN QUERY PLAN ${query}`, ...bindings)
    .toArray()
    .map(({ detail }) => detail)

export const rowsRead = (statements: readonly Statement[]): number =>
  statements.reduce((sum, { cursor }) => sum + cursor.rowsRead, 0)

/** The platform's `exec`, which is not recorded. */
const ownExec = (sql: SqlStorage): SqlStorage['exec'] =>
  (Object.getPrototypeOf(sql) as SqlStorage).exec.bind(sql)
