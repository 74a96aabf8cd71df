import { env, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WATCHER_HEADER } from '../../../src/adapters/mission/live-sockets.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { TestMission } from '../../support/mission-worker.ts'
import { configured, masked, NOW, reported } from '../../support/occurrences.ts'
import { OldMission } from '../../support/old-mission.ts'

const DAY = 24 * 3600_000

type Bench = ReturnType<typeof missionBench>

/** The storage of a new mission, on which either Worker starts as often as a test wants. */
async function onStorage(work: (its: Storage) => Promise<void>): Promise<void> {
  const bench = missionBench()
  bench.unbindLogs()
  await runInDurableObject(bench.stub(), (_, ctx) =>
    work({
      bench,
      old: () => new OldMission(ctx),
      now: () => new TestMission(ctx, env),
      sql: ctx.storage.sql,
      alarm: () => ctx.storage.getAlarm(),
      dump: () => dump(ctx.storage.sql),
    }),
  )
}

interface Storage {
  readonly bench: Bench
  /** The object as the Worker of yesterday starts it, and as the one of today does. */
  readonly old: () => OldMission
  readonly now: () => TestMission
  readonly sql: SqlStorage
  readonly alarm: () => Promise<number | null>
  readonly dump: () => unknown
}

/** All that is stored, by table, with the tables themselves. */
function dump(sql: SqlStorage): unknown {
  const tables = sql
    .exec<{ name: string; type: string; sql: string }>(
      `SELECT name, type, sql FROM sqlite_master
       WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\' AND sql IS NOT NULL`,
    )
    .toArray()
  return tables.map((table) => ({
    ...table,
    rows: table.type === 'table' ? sql.exec(`SELECT * FROM ${table.name}`).toArray() : [],
  }))
}

const stateOf = async (mission: TestMission) => (await mission.read([]))?.state
const samplesOf = async (mission: TestMission) =>
  (await mission.page('sample', { limit: 1000 })).items

describe('a mission whose Worker is rolled back and upgraded again', () => {
  test('keeps its state and records, and goes on', () =>
    onStorage(async ({ bench: { owner }, dump, now, old }) => {
      const first = old()
      await first.apply(reported(owner, 1), 'call-1')
      await first.apply(masked(owner, 'run-1', 9_000), 'call-2')

      const upgraded = now()
      expect(await stateOf(upgraded)).toMatchObject({
        ...owner,
        version: 2,
        context: { number: 1 },
      })
      expect(await samplesOf(upgraded)).toMatchObject(await first.page('sample'))
      expect(await upgraded.apply(masked(owner, 'run-1'), 'call-2')).toMatchObject({
        value: { version: 2 },
      })
      expect(await upgraded.apply(reported(owner, 3), 'call-3')).toMatchObject({ ok: true })
      const state = await stateOf(upgraded)
      const samples = await samplesOf(upgraded)
      const kept = dump()

      const rolledBack = old()
      await expect(rolledBack.read()).rejects.toThrow('no such table: state')
      await expect(rolledBack.apply(reported(owner, 4), 'call-4')).rejects.toThrow('state')
      expect(dump()).toEqual(kept)

      const again = now()
      expect(dump()).toEqual(kept)
      expect(await stateOf(again)).toEqual(state)
      expect(await samplesOf(again)).toEqual(samples)
      expect(await again.apply(reported(owner, 5), 'call-5')).toMatchObject({
        value: { version: 4 },
      })
      expect(await samplesOf(again)).toHaveLength(4)
    }))

  test('loses nothing that was acknowledged while both Workers run at once', () => {
    const worker = fc.constantFrom('old', 'new')
    const does = fc.constantFrom('apply', 'read')
    return fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(worker, does), { maxLength: 12 }), (starts) =>
        onStorage(async ({ bench: { owner }, now, old }) => {
          let applied = 0
          let upgraded = false
          for (const [n, [which, action]] of starts.entries()) {
            const mission = which === 'old' ? old() : now()
            if (which === 'new' && (applied > 0 || action === 'apply')) upgraded = true
            const done =
              action === 'apply'
                ? mission.apply(reported(owner, n, NOW + n), `call-${n}`)
                : mission.read([])
            if (which === 'old' && upgraded) await expect(done).rejects.toThrow('state')
            else await done
            if (action === 'apply' && !(which === 'old' && upgraded)) applied += 1
          }
          const last = now()
          expect((await stateOf(last))?.version ?? 0).toBe(applied)
          expect(await samplesOf(last)).toHaveLength(applied)
        }),
      ),
      { numRuns: 40 },
    )
  })

  test.each([1, 2])('gets its tables again where the version was lowered to %i', (version) =>
    onStorage(async ({ bench: { owner }, dump, now, sql }) => {
      await now().apply(reported(owner, 1), 'call-1')
      const kept = dump()
      sql.exec('UPDATE tables SET version = ?', version)
      const again = now()
      expect(dump()).toEqual(kept)
      expect(await again.apply(reported(owner, 2), 'call-2')).toMatchObject({
        value: { version: 2 },
      })
    }),
  )

  test.each([
    [5, 'the old one'],
    [1, 'the new one'],
  ])('has one state where an old one of version %i stands beside: %s', (version, which) =>
    onStorage(async ({ bench: { owner }, now, sql }) => {
      await now().apply(reported(owner, 1), 'call-1')
      await now().apply(reported(owner, 2), 'call-2')
      const { body } = sql.exec<{ body: string }>('SELECT body FROM mission_state').one()
      const other = { ...(JSON.parse(body) as object), version, phase: 'locate' }
      sql.exec('UPDATE tables SET version = 2')
      sql.exec('CREATE TABLE state (id INTEGER PRIMARY KEY, body TEXT, calls TEXT)')
      sql.exec(`INSERT INTO state VALUES (1, ?, '["call-9"]')`, JSON.stringify(other))
      expect(await stateOf(now())).toMatchObject(
        which === 'the old one' ? { version: 5, phase: 'locate' } : { version: 2, phase: 'assess' },
      )
    }),
  )
})

describe('a mission that a newer Worker wrote', () => {
  const NEWER = [
    ['its tables', 'UPDATE tables SET version = version + 1', 'version - 1'],
    ['its state', 'UPDATE mission_state SET schema = schema + 1', 'schema - 1'],
  ] as const
  const REFUSED = 'written by a newer Worker'

  test.each(NEWER)('is refused and not touched, with %s', (_, newer) =>
    onStorage(async ({ alarm, bench, dump, now, sql }) => {
      const { owner } = bench
      await now().apply(configured(owner, { ttl_days: 1 }), 'call-1')
      sql.exec(newer)
      const kept = dump()
      const mission = now()
      const lookups = [{ kind: 'sample', keys: ['a'] }] as const
      await expect(mission.read([])).rejects.toThrow(REFUSED)
      await expect(mission.page('sample', { limit: 1 })).rejects.toThrow(REFUSED)
      await expect(mission.apply(reported(owner, 1), 'call-2')).rejects.toThrow(REFUSED)
      await expect(mission.applyAndRead(reported(owner, 1), 'c', lookups)).rejects.toThrow(REFUSED)
      const headers = { [WATCHER_HEADER]: '{}' }
      const watching = mission.fetch(new Request('https://mission/events', { headers }))
      await expect(watching).rejects.toThrow(REFUSED)
      bench.wait(2 * DAY)
      await mission.alarm()
      expect(await alarm()).toBe(bench.now() + 60_000)
      expect(dump()).toEqual(kept)
    }),
  )

  test.each(NEWER)('does what was due once the newer Worker is back, with %s', (_, newer, undo) =>
    onStorage(async ({ bench, now, sql }) => {
      await now().apply(configured(bench.owner, { ttl_days: 1 }), 'call-1')
      sql.exec(newer)
      bench.wait(2 * DAY)
      await now().alarm()
      sql.exec(newer.replace(/\w+ \+ 1/, undo))
      await now().alarm()
      expect(await stateOf(now())).toMatchObject({ status: 'erased' })
    }),
  )

  test('is refused also after one from before versions that hold', () =>
    onStorage(async ({ bench: { owner }, dump, now, old, sql }) => {
      await now().apply(reported(owner, 1), 'call-1')
      sql.exec('UPDATE tables SET version = 99')
      const kept = dump()
      await expect(old().apply(reported(owner, 2), 'call-2')).rejects.toThrow('state')
      await expect(now().read([])).rejects.toThrow(REFUSED)
      expect(dump()).toEqual(kept)
    }))
})

describe('replies and decisions that an older Worker recorded', () => {
  test('are named by turn and call', () =>
    onStorage(async ({ now, bench: { owner }, old, sql }) => {
      await old().apply(reported(owner, 1), 'call-1')
      const insert = (kind: string, key: string, body: object) =>
        sql.exec(
          'INSERT INTO records (kind, key, at, body) VALUES (?, ?, ?, ?)',
          kind,
          key,
          '2026-05-01T08:00:00.000Z',
          JSON.stringify(body),
        )
      insert('heard', JSON.stringify(['c/1', 7]), { ordinal: 3, edits: [] })
      insert('retention', '7/c/1', { turn: 7, call_id: 'c/1', decision: 'keep', at: '' })
      const keys = [JSON.stringify([7, 'c/1'])]
      const view = await now().read([
        { kind: 'reply', keys },
        { kind: 'retention', keys },
      ])
      expect(view?.found.map(({ body, kind }) => [kind, body])).toMatchObject([
        ['reply', { ordinal: 3 }],
        ['retention', { decision: 'keep' }],
      ])
      expect(sql.exec(`SELECT 1 FROM records WHERE kind = 'heard'`).toArray()).toEqual([])
    }))
})

describe('masks that an older Worker recorded', () => {
  const ref = `memex://excerpt/${'a'.repeat(64)}`
  const old = (over: object) => ({
    call_id: 'c1',
    tool: 'grep',
    ref,
    form: 'text',
    is_error: false,
    occurrence: 0,
    extract: null,
    saved_tokens: 40,
    ...over,
  })
  const insert = (sql: SqlStorage, key: string, body: readonly object[]) =>
    sql.exec(
      `INSERT INTO records (kind, key, at, body) VALUES ('masked', ?, ?, ?)`,
      key,
      '2026-05-01T08:00:00.000Z',
      JSON.stringify(body),
    )

  test('stand together by their call, with the placeholder that was answered', () =>
    onStorage(async ({ bench: { owner }, now, old: before, sql }) => {
      await before().apply(reported(owner, 1), 'call-1')
      insert(sql, 'one', [old({}), old({ occurrence: 1, is_error: true, form: 'json' })])
      insert(sql, 'two', [old({ tool: 'bash', extract: 'memory/extracts/t-turn-1.md' })])
      insert(sql, 'three', [old({ call_id: 'c2', ref: null })])
      insert(sql, 'four', [old({ call_id: '' })])

      const mission = now()
      const keys = [['c1'], ['c2'], ['', 'grep', ref]].map((key) => JSON.stringify(key))
      const view = await mission.read([
        { kind: 'mask', keys },
        { kind: 'mask_ref', keys: [ref] },
      ])
      const bodies = new Map(view?.found.map((row) => [row.key, row.body]))
      expect(bodies.get(keys[0] ?? '')).toMatchObject([
        { placeholder: `[Tool: grep. Output masked. See ${ref}]`, digest: 'a'.repeat(64) },
        { placeholder: `[Tool: grep. Error output masked. See ${ref} as json]` },
        {
          placeholder: `[Tool: bash. Output masked. See extract at memory/extracts/t-turn-1.md, raw at ${ref}]`,
        },
      ])
      expect(bodies.get(keys[1] ?? '')).toMatchObject([
        { ref: null, digest: null, placeholder: '[masked: grep result]', saved_tokens: 40 },
      ])
      expect(bodies.get(keys[2] ?? '')).toMatchObject([{ call_id: '' }])
      expect(bodies.get(ref)).toEqual(expect.arrayContaining([keys[0], keys[2]]))
      expect(sql.exec(`SELECT 1 FROM records WHERE kind = 'masked'`).toArray()).toEqual([])
    }))
})
