import { describe, expect, test } from 'vitest'
import * as due from '../../../src/adapters/mission/due.ts'
import * as erasure from '../../../src/adapters/mission/erasure.ts'
import * as outbox from '../../../src/adapters/mission/outbox.ts'
import * as records from '../../../src/adapters/mission/records.ts'
import * as schema from '../../../src/adapters/mission/schema.ts'
import * as stateRow from '../../../src/adapters/mission/state-row.ts'
import type { MissionRecords, RecordKind } from '../../../src/domain/ledger/records.ts'
import type { RecordWrite } from '../../../src/domain/mission/record.ts'
import { faceOf } from '../../support/face.ts'
import { createMemoryLogs } from '../../support/memory-ports.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { configured, NOW } from '../../support/occurrences.ts'
import { planOf, recordSql, rowsRead } from '../../support/recorded-sql.ts'
import type { Statement } from '../../support/recorded-sql.ts'
import { anthropicSession } from '../../support/session.ts'

const AT = '2100-01-01T00:00:00.000Z'
/** Rows of each kind. */
const ROWS = 20_000
/** A statement looks at the rows that it is asked for and a few beside them, never at all of a kind. */
const FEW = 600
const GROWING = /\b(records|record_parts|outbox)\b/

const due1 = { name: 'ttl', at: NOW, tries: 0, step: 0 } as const
/** A record with a body of this size; what it says does not matter here. */
const record = (key: string, size: number): RecordWrite<MissionRecords, 'mask_ref'> => ({
  kind: 'mask_ref',
  key,
  at: AT,
  body: ['x'.repeat(size)],
  due: NOW,
})
const logs = createMemoryLogs()
const report = (): void => undefined
const row = (id: string) =>
  ({
    table: 'escalations',
    tenant: 't',
    mission: 'm',
    id,
    at: AT,
    trigger: 't',
    status: 's',
    body: '',
  }) as const
const refusing = { ...logs, write: () => Promise.reject(new Error('refused')) }

type Drives<Module> = {
  readonly [Name in keyof Module]: (sql: SqlStorage) => unknown
}

/** Each function of the object's modules that takes its SQL, on every path through its statements. */
const DRIVES: Drives<
  typeof records & typeof outbox & typeof due & typeof stateRow & typeof schema
> &
  Drives<Pick<typeof erasure, 'eraseTables'>> = {
  writtenIn: schema.writtenIn,
  bringUpTables: schema.bringUpTables,
  loadState: stateRow.loadState,
  saveState: (sql) => {
    const row = stateRow.loadState(sql)
    if (row !== null) stateRow.saveState(sql, row.state, row.calls)
  },
  saveRecords: (sql) => {
    const big = record('big', 2_000_000)
    records.saveRecords(sql, [big, big, record('new', 1)])
  },
  findRecords: (sql) => {
    records.findRecords(sql, 'sample', ['key-7', 'key-19001', 'none'])
    records.findRecords(sql, 'mask_ref', ['big'])
  },
  pageRecords: (sql) => {
    const first = records.pageRecords(sql, 'sample', { limit: 5 })
    const last = records.pageRecords(sql, 'sample', { limit: 5, reverse: true })
    for (const cursor of [first.next_cursor ?? '', last.next_cursor ?? ''])
      for (const reverse of [true, false])
        records.pageRecords(sql, 'sample', { cursor, limit: 5, reverse })
  },
  removeRecords: (sql) => {
    records.removeRecords(sql, [
      { kind: 'sample', key: 'key-7' },
      { kind: 'mask_ref', key: 'big' },
      { kind: 'mask_ref', key: 'none' },
    ])
  },
  dueRecords: (sql) => records.dueRecords(sql, 'delivery', NOW, 6),
  nextRecordDue: (sql) => records.nextRecordDue(sql, 'sample'),
  expireRecords: (sql) => {
    records.expireRecords(sql, { kind: 'receipt', before: '2000-01-01T00:00:00.000Z' })
    records.expireRecords(sql, { kind: 'receipt', before: '2200-01-01T00:00:00.000Z' })
  },
  outboxIsEmpty: outbox.outboxIsEmpty,
  putOutbox: (sql) => outbox.putOutbox(sql, [row('one'), row('two')]),
  flushOutbox: async (sql) => {
    await outbox.flushOutbox(sql, logs, 0, report)
    outbox.putOutbox(sql, [row('one'), row('two')])
    await expect(outbox.flushOutbox(sql, refusing, 3, report)).rejects.toThrow('refused')
    await outbox.flushOutbox(sql, logs, 3, report)
  },
  putDue: (sql) => {
    due.putDue(sql, { ttl: NOW, erase: null })
  },
  ensureDue: (sql) => due.ensureDue(sql, 'ttl', NOW),
  findDue: (sql) => due.findDue(sql, 'ttl'),
  readyDue: (sql) => due.readyDue(sql, NOW),
  nextDueAt: due.nextDueAt,
  postponeDue: (sql) => due.postponeDue(sql, due1, NOW),
  settleDue: (sql) => {
    due.settleDue(sql, due1, { at: NOW, step: 1 })
    due.settleDue(sql, due1, null)
  },
  // Last, since nothing is left behind it.
  eraseTables: erasure.eraseTables,
}

/** Many rows of each of some kinds, of which some are due and some in parts, and many for D1. */
function fill(sql: SqlStorage, kinds: readonly string[]): void {
  for (let n = 0; n < ROWS * kinds.length; n++) {
    const kind = kinds[n % kinds.length] ?? ''
    const values = [kind, `key-${n}`, AT, '{}', kind === 'delivery' ? NOW + n : null]
    sql.exec('INSERT INTO records (kind, key, at, body, due) VALUES (?, ?, ?, ?, ?)', ...values)
  }
  const body = JSON.stringify(row('waiting'))
  for (let n = 0; n < 1_000; n++)
    sql.exec('INSERT INTO outbox (part, parts, body) VALUES (0, 1, ?)', body)
  sql.exec(`INSERT INTO record_parts SELECT seq, 0, ' ' FROM records WHERE seq % 10 = 0`)
}

/** A mission with a long past in these kinds of record. */
async function longMission(...kinds: readonly RecordKind[]) {
  const bench = missionBench()
  bench.unbindLogs()
  await bench.missions.apply(configured(bench.owner, { window_tokens: 100_000 }))
  await bench.storage((storage) => storage.transactionSync(() => fill(storage.sql, kinds)))
  return bench
}

/** What is wrong with how a statement ran, as far as it touched a table that grows. */
function faultsOf(sql: SqlStorage, statement: Statement): readonly string[] {
  const plan = planOf(sql, statement)
  if (!plan.some((step) => GROWING.test(step))) return []
  const slow = plan.filter((step) => /^SCAN (?!json_each)|TEMP B-TREE/.test(step))
  const { rowsRead } = statement.cursor
  if (slow.length === 0 && rowsRead < FEW) return []
  return [`${rowsRead} rows read by ${statement.query}: ${plan.join('; ')}`]
}

describe('the SQL of the object', () => {
  const long = longMission('sample', 'delivery', 'receipt')

  test('stands in the modules that are driven here', () => {
    const sources = import.meta.glob<string>('/src/adapters/mission/*.ts', {
      query: '?raw',
      import: 'default',
      eager: true,
    })
    const names = Object.entries(sources)
      .filter(([, source]) => /\.exec[<(]/.test(source))
      .map(([path]) => path.replace(/.*\/(.*)\.ts/, '$1'))
    expect(names).toEqual(['due', 'erasure', 'outbox', 'records', 'schema', 'state-row'])
  })

  test.each(Object.entries(DRIVES))('%s walks no table that grows', async (_, drive) => {
    await (
      await long
    ).storage(async ({ sql }) => {
      const ran = recordSql(sql)
      await drive(sql)
      expect(ran.length).toBeGreaterThan(0)
      expect(ran.flatMap((statement) => faultsOf(sql, statement))).toEqual([])
    })
  })
})

describe('a mission with many records', () => {
  test('finds three by their keys in a few rows', async () => {
    const bench = await longMission('sample')
    await bench.storage(({ sql }) => {
      const statements = recordSql(sql)
      const found = records.findRecords(sql, 'sample', ['key-19999', 'none', 'key-3'])
      expect(found.map(({ key }) => key)).toEqual(['key-3', 'key-19999'])
      expect(rowsRead(statements)).toBeLessThan(20)
    })
  })

  test('takes an output in with as few rows as one with none', async () => {
    const observed = async (bench: Awaited<ReturnType<typeof longMission>>) => {
      const { api } = await faceOf(bench)
      const statements = await bench.storage(({ sql }) => recordSql(sql))
      const body = { call_id: 'call-1', turn: 1, tool: 'grep', output: 'x'.repeat(5_000) }
      await api.ok('observe', { mission: bench.owner.mission, body })
      return rowsRead(statements)
    }
    const kinds = ['observed', 'observed_call', 'reply', 'extracted'] as const
    expect(await observed(await longMission(...kinds))).toBeLessThan(
      (await observed(await longMission())) + 20,
    )
  })

  test('masks a request again with a row for each of its masked results', async () => {
    const rowsOfMask = async (bench: Awaited<ReturnType<typeof longMission>>) => {
      const { api } = await faceOf(bench)
      const sent = {
        mission: bench.owner.mission,
        body: { request: anthropicSession(30), policy: { trigger: { type: 'always' } } },
      }
      const { decisions, masked } = await api.ok('mask', sent)
      const statements = await bench.storage(({ sql }) => recordSql(sql))
      const again = await api.ok('mask', sent)
      expect(again).toMatchObject({ masked: 0, masked_before: masked })
      const ofMasks = statements.filter(({ bindings }) => bindings[0] === 'mask')
      const asked = decisions.length
      return { asked, masked, masks: rowsRead(ofMasks), all: rowsRead(statements) }
    }
    const short = await rowsOfMask(await longMission())
    const long = await rowsOfMask(await longMission('mask', 'observed', 'cost', 'answered'))
    expect(long).toEqual(short)
    // SQLite counts each key that is asked for, and an entry of the index beside each row.
    expect(short.masks).toBeLessThanOrEqual(short.asked + 2 * short.masked + 5)
  })
})
