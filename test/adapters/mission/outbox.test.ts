import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { flushOutbox, putOutbox } from '../../../src/adapters/mission/outbox.ts'
import type { LogRow } from '../../../src/domain/log/row.ts'
import { eventually } from '../../support/eventually.ts'
import { after, always, before, callsOf, inTurn } from '../../support/faults.ts'
import { createMemoryLogs } from '../../support/memory-ports.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { configured, masked, reported } from '../../support/occurrences.ts'

const DOWN = always('write', before('D1_ERROR: D1 DB is overloaded.'))
const WORKING = () => undefined

describe('rows for D1', () => {
  test('are there soon after the change, and the alarm is off', async () => {
    const bench = missionBench()
    await bench.missions.apply(masked(bench.owner, 'run-1', 3))
    await eventually(async () => expect(await bench.alarmAt()).toBeNull())
    expect(await bench.inD1('missions')).toMatchObject([{ version: 1, window_tokens: 1_000 }])
    expect(await bench.inD1('masking')).toMatchObject([{ id: 'run-1', masked: 3 }])
    expect(await bench.inD1('masking_items')).toHaveLength(3)
    expect(await bench.sql('SELECT seq FROM outbox')).toEqual([])
  })

  test('are never lost while D1 is down, and arrive when it is back', async () => {
    const bench = missionBench()
    bench.breakLogs(DOWN)
    for (let n = 0; n < 20; n++)
      expect(await bench.missions.apply(masked(bench.owner, `run-${n}`))).toMatchObject({
        ok: true,
      })
    await bench.ring()
    await evictDurableObject(bench.stub())
    await bench.ring()
    expect(await bench.inD1('masking')).toEqual([])
    expect(await bench.sql('SELECT count(*) AS n FROM outbox')).toEqual([{ n: 40 }])
    bench.breakLogs(WORKING)
    bench.wait(600_000)
    expect(await bench.ring()).toBe(true)
    const ids = (await bench.inD1('masking')).map((row) => String(row['id']))
    expect(new Set(ids)).toEqual(new Set(Array.from({ length: 20 }, (_, n) => `run-${n}`)))
    expect(await bench.inD1('missions')).toMatchObject([{ version: 20 }])
    expect(await bench.sql('SELECT seq FROM outbox')).toEqual([])
    expect(await bench.alarmAt()).toBeNull()
  })

  test('are written once though D1 took them and then failed', async () => {
    const bench = missionBench()
    bench.breakLogs(inTurn('write', after('lost'), after('lost')))
    await bench.missions.apply(masked(bench.owner, 'run-1', 2))
    await eventually(() => expect(bench.reports).toHaveLength(1))
    for (let n = 0; n < 2; n++) {
      bench.wait(600_000)
      await bench.ring()
    }
    expect(await bench.inD1('masking')).toHaveLength(1)
    expect(await bench.inD1('masking_items')).toHaveLength(2)
    expect(await bench.sql('SELECT seq FROM outbox')).toEqual([])
  })

  test('wait for the alarm, which waits longer after each failure', async () => {
    const bench = missionBench()
    const logs = bench.breakLogs(DOWN)
    await bench.missions.apply(configured(bench.owner))
    const failures = () => bench.reports.filter((r) => r.event === 'mission_job_failed').length
    const waits: number[] = []
    for (let n = 0; n < 10; n++) {
      await eventually(() => expect(failures()).toBe(n + 1))
      const wait = ((await bench.alarmAt()) ?? 0) - bench.now()
      waits.push(wait / 1000)
      bench.wait(wait)
      await bench.ring()
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
    expect(callsOf(logs, 'write')).toBe(11)
  })

  test('do not hammer a D1 that is down', async () => {
    const bench = missionBench()
    const logs = bench.breakLogs(DOWN)
    await bench.missions.apply(configured(bench.owner))
    await eventually(() => expect(bench.reports).toHaveLength(1))
    for (let n = 0; n < 10; n++) await bench.missions.apply(reported(bench.owner, n))
    expect(callsOf(logs, 'write')).toBe(1)
  })

  test('are kept from one flush at a time, which takes along what comes meanwhile', async () => {
    const bench = missionBench()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const logs = bench.breakLogs(inTurn('write', { when: 'waiting', on: held }))
    await bench.missions.apply(masked(bench.owner, 'run-0'))
    await Promise.all(
      Array.from({ length: 9 }, (_, n) =>
        bench.missions.apply(masked(bench.owner, `run-${n + 1}`)),
      ),
    )
    expect(callsOf(logs, 'write')).toBe(1)
    release()
    await eventually(async () => expect(await bench.alarmAt()).toBeNull())
    expect(callsOf(logs, 'write')).toBe(2)
    expect(await bench.inD1('masking')).toHaveLength(10)
  })

  test('go out in batches', async () => {
    const bench = missionBench()
    const down = bench.breakLogs(DOWN)
    await bench.missions.apply(configured(bench.owner))
    await eventually(() => expect(bench.reports).toHaveLength(1))
    for (let n = 0; n < 125; n++) await bench.missions.apply(masked(bench.owner, `run-${n}`))
    expect(callsOf(down, 'write')).toBe(1)
    const logs = bench.breakLogs(WORKING)
    bench.wait(600_000)
    await bench.ring()
    expect(callsOf(logs, 'write')).toBe(3)
    expect(await bench.inD1('masking')).toHaveLength(125)
  })

  test('that are larger than a row of SQLite are kept in parts', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { at } = configured(bench.owner)
    await bench.missions.apply(configured(bench.owner))
    const rows = ['🧪'.repeat(600_000), 'small', `x${'é'.repeat(900_000)}`].map(
      (body, n): LogRow => ({
        table: 'escalations',
        ...bench.owner,
        id: `e${n}`,
        at,
        trigger: 't',
        status: 'open',
        body,
      }),
    )
    await bench.storage((storage) => putOutbox(storage.sql, rows))
    const parts = await bench.sql<{ bytes: number }>(
      'SELECT length(CAST(body AS BLOB)) AS bytes FROM outbox',
    )
    expect(parts.length).toBe(3 + 1 + 2)
    expect(Math.max(...parts.map(({ bytes }) => bytes))).toBeLessThan(1_500_000)
    const sent: LogRow[] = []
    const logs = {
      ...createMemoryLogs(),
      write: async (r: readonly LogRow[]) => void sent.push(...r),
    }
    await bench.storage((storage) => flushOutbox(storage.sql, logs, 0, () => undefined))
    expect(sent).toEqual(rows)
    expect(await bench.sql('SELECT seq FROM outbox')).toEqual([])
  })

  test('pass one that D1 refuses for good', async () => {
    const bench = missionBench()
    bench.refuseRows((row) => row.table === 'masking' && row.id === 'run-3')
    for (let n = 0; n < 6; n++) await bench.missions.apply(masked(bench.owner, `run-${n}`))
    await eventually(() => expect(bench.reports.length).toBeGreaterThan(0))
    for (let n = 0; n < 4; n++) {
      bench.wait(600_000)
      await bench.ring()
    }
    const ids = (await bench.inD1('masking')).map((row) => String(row['id']))
    expect(new Set(ids)).toEqual(new Set(['run-0', 'run-1', 'run-2', 'run-4', 'run-5']))
    expect(await bench.sql('SELECT count(*) AS n FROM outbox')).toEqual([{ n: 1 }])
    expect(bench.reports).toContainEqual(
      expect.objectContaining({ event: 'log_row_refused', table: 'masking' }),
    )
  })
})

describe('without LOGS', () => {
  test('nothing is kept for it and no alarm is set', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    await bench.missions.apply(masked(bench.owner, 'run-1'))
    expect(await bench.sql('SELECT seq FROM outbox')).toEqual([])
    expect(await bench.alarmAt()).toBeNull()
    const page = await bench.missions.page(bench.owner, 'masking', { limit: 5 })
    expect(page.items).toHaveLength(1)
  })

  test('rows from before wait quietly until it is bound again', async () => {
    const bench = missionBench()
    bench.breakLogs(DOWN)
    await bench.missions.apply(masked(bench.owner, 'run-1'))
    await eventually(() => expect(bench.reports).toHaveLength(1))
    bench.unbindLogs()
    bench.wait(600_000)
    await bench.ring()
    expect(await bench.alarmAt()).toBeNull()
    expect(await bench.sql('SELECT count(*) AS n FROM outbox')).toEqual([{ n: 2 }])
    bench.breakLogs(WORKING)
    await bench.missions.apply(reported(bench.owner, 5))
    await eventually(async () => expect(await bench.inD1('masking')).toHaveLength(1))
  })
})

describe('the alarm', () => {
  test('is set again by the next look when it was lost', async () => {
    const bench = missionBench()
    bench.breakLogs(DOWN)
    await bench.missions.apply(configured(bench.owner))
    await eventually(() => expect(bench.reports).toHaveLength(1))
    const due = await bench.alarmAt()
    await bench.storage((storage) => storage.deleteAlarm())
    await bench.missions.read(bench.owner)
    expect(await bench.alarmAt()).toBe(due)
  })

  test('is set for now when its time is past and it never rang', async () => {
    const bench = missionBench()
    bench.breakLogs(DOWN)
    await bench.missions.apply(configured(bench.owner))
    await eventually(() => expect(bench.reports).toHaveLength(1))
    bench.wait(3_600_000)
    await bench.missions.read(bench.owner)
    expect(await bench.alarmAt()).toBe(bench.now())
  })

  test('may ring twice, early or for nothing', async () => {
    const bench = missionBench()
    await bench.missions.apply(masked(bench.owner, 'run-1'))
    await eventually(async () => expect(await bench.alarmAt()).toBeNull())
    expect(await bench.ring()).toBe(false)
    for (let n = 0; n < 2; n++) {
      await bench.storage((storage) => storage.setAlarm(bench.now()))
      await bench.ring()
    }
    expect(await bench.inD1('masking')).toHaveLength(1)
    expect((await bench.missions.read(bench.owner))?.state.version).toBe(1)
  })
})
