import { env, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { createD1Logs } from '../../src/adapters/d1/d1-logs.ts'
import { createMissions } from '../../src/adapters/mission/missions.ts'
import { createR2Memex } from '../../src/adapters/r2/r2-memex.ts'
import type { LogRow } from '../../src/domain/log/row.ts'
import type { Logs, Memex, Revocations, Webhooks } from '../../src/ports.ts'
import { faulty } from './faults.ts'
import type { Plan } from './faults.ts'
import { freshOwner } from './fresh.ts'
import { impatient } from './impatient.ts'
import { setting } from './mission-setting.ts'
import { NOW } from './occurrences.ts'

/** One mission's object on real stores, with its clock, its alarm and its faults in a test's hands. */
export function missionBench() {
  const owner = freshOwner()
  const name = `${owner.tenant}/${owner.mission}`
  const stub = () => env.TEST_MISSIONS.getByName(name)
  const its = setting(name)
  let now = NOW
  its.now = () => now
  return {
    owner,
    stub,
    missions: createMissions(env.TEST_MISSIONS),
    reports: its.reports,
    /** Moves the clock; the alarm does not ring by itself. */
    wait: (ms: number) => {
      now += ms
    },
    now: () => now,
    /** Rings the alarm, whatever its time; false when none is set. */
    ring: () => runDurableObjectAlarm(stub()),
    alarmAt: () => runInDurableObject(stub(), (_, state) => state.storage.getAlarm()),
    sql: <Row extends Record<string, SqlStorageValue>>(query: string) =>
      runInDurableObject(stub(), (_, state) => state.storage.sql.exec<Row>(query).toArray()),
    storage: <T>(work: (storage: DurableObjectStorage) => T | Promise<T>) =>
      runInDurableObject(stub(), (_, state) => work(state.storage)),
    /** From now on the object's logs go wrong as planned. */
    breakLogs: (plan: Plan): Logs => {
      const logs = faulty(createD1Logs(env.LOGS, impatient()), plan)
      its.logs = () => logs
      return logs
    },
    breakMemex: (plan: Plan): Memex => {
      const memex = faulty(createR2Memex(env.MEMEX, impatient()), plan)
      its.memex = () => memex
      return memex
    },
    /** From now on D1 refuses some rows for good, whatever comes with them. */
    refuseRows: (refused: (row: LogRow) => boolean): void => {
      its.logs = (real) => ({
        ...real,
        write: async (rows) => {
          if (rows.some(refused)) throw new Error('D1_ERROR: string or blob too big: SQLITE_TOOBIG')
          await real.write(rows)
        },
      })
    },
    sendBy: (webhooks: Webhooks): void => {
      its.webhooks = webhooks
    },
    revokeBy: (revocations: Revocations): void => {
      its.revocations = revocations
    },
    unbindLogs: () => {
      its.logs = () => null
    },
    unbindMemex: () => {
      its.memex = () => null
    },
    /** What D1 holds of the mission, by table. */
    inD1: async (table: string) =>
      (
        await env.LOGS.prepare(`SELECT * FROM ${table} WHERE tenant = ?1 AND mission = ?2`)
          .bind(owner.tenant, owner.mission)
          .all()
      ).results,
    inR2: async () =>
      (await env.MEMEX.list({ prefix: `${name}/` })).objects.map((object) => object.key),
  }
}
