import { env, evictDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { createR2Memex } from '../../../src/adapters/r2/r2-memex.ts'
import { utf8 } from '../../../src/domain/bytes.ts'
import { sha256 } from '../../../src/domain/digest.ts'
import { eventually } from '../../support/eventually.ts'
import { before, always, callsOf, inTurn } from '../../support/faults.ts'
import type { Fault, Plan } from '../../support/faults.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { configured, erased, masked, NOW, reported } from '../../support/occurrences.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const memex = createR2Memex(env.MEMEX)

type Bench = ReturnType<typeof missionBench>

async function store(bench: Bench, text: string): Promise<void> {
  const bytes = utf8(text)
  const meta = { kind: 'excerpt', stored_at: '2100-01-01T00:00:00.000Z' } as const
  await memex.put(bench.owner, await sha256(bytes), bytes, meta)
}

/** A mission with excerpts, records and rows in D1. */
async function lived(settings = {}): Promise<Bench> {
  const bench = missionBench()
  await bench.missions.apply(configured(bench.owner, settings))
  for (const text of ['a', 'b', 'c']) await store(bench, text)
  await bench.missions.apply(masked(bench.owner, 'run-1'))
  await eventually(async () => expect(await bench.inD1('masking')).toHaveLength(1))
  return bench
}

async function expectNothingLeft(bench: Bench): Promise<void> {
  expect(await bench.inR2()).toEqual([])
  for (const table of ['missions', 'masking', 'masking_items'])
    expect(await bench.inD1(table)).toEqual([])
  for (const table of ['records', 'record_parts', 'outbox', 'due'])
    expect(await bench.sql(`SELECT * FROM ${table}`)).toEqual([])
  expect(await bench.alarmAt()).toBeNull()
  expect((await bench.missions.read(bench.owner))?.state).toMatchObject({ status: 'erased' })
}

/** Rings the alarm until there is none, with the time that it was set for. */
async function ringOut(bench: Bench): Promise<number> {
  for (let rings = 0; ; rings++) {
    const at = await bench.alarmAt()
    if (at === null) return rings
    if (rings > 50) throw new Error('the alarm never ends')
    bench.wait(Math.max(0, at - bench.now()))
    await bench.ring()
  }
}

describe('an erased mission', () => {
  test('is gone from R2, D1 and its object after two sweeps', async () => {
    const bench = await lived()
    const neighbour = await lived()
    await bench.missions.apply(erased(bench.owner))
    expect(await ringOut(bench)).toBe(2)
    await expectNothingLeft(bench)
    expect(await neighbour.inR2()).toHaveLength(3)
    expect(await neighbour.inD1('masking')).toHaveLength(1)
  })

  test('takes back what a racing writer put after the first sweep', async () => {
    const bench = await lived()
    await bench.missions.apply(erased(bench.owner))
    await bench.ring()
    expect(await bench.inR2()).toEqual([])
    await store(bench, 'late')
    expect(await bench.alarmAt()).toBe(NOW + 5 * MINUTE)
    await ringOut(bench)
    await expectNothingLeft(bench)
  })

  test('lets no row that waits for D1 come in behind the erasure', async () => {
    const bench = await lived()
    bench.breakLogs(always('write', before('down')))
    await bench.missions.apply(masked(bench.owner, 'run-2'))
    await eventually(() => expect(bench.reports.length).toBeGreaterThan(0))
    await bench.missions.apply(erased(bench.owner))
    bench.breakLogs(() => undefined)
    await ringOut(bench)
    await expectNothingLeft(bench)
  })

  test('waits for rows on their way to D1 before it erases there', async () => {
    const bench = await lived()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    bench.breakLogs(inTurn('write', { when: 'waiting', on: held }))
    await bench.missions.apply(masked(bench.owner, 'run-2'))
    await bench.missions.apply(erased(bench.owner))
    const rung = bench.ring()
    release()
    await rung
    expect(await bench.inD1('masking')).toEqual([])
    await ringOut(bench)
    await expectNothingLeft(bench)
  })

  test('is erased the same with MEMEX or LOGS not bound', async () => {
    const [noMemex, noLogs] = [await lived(), await lived()]
    noMemex.unbindMemex()
    noLogs.unbindLogs()
    for (const bench of [noMemex, noLogs]) {
      await bench.missions.apply(erased(bench.owner))
      await ringOut(bench)
    }
    expect(await noMemex.inD1('masking')).toEqual([])
    expect(await noLogs.inR2()).toEqual([])
  })
})

describe('an erasure that fails', () => {
  const failed = before('We encountered an internal error. (10001)')
  const more: Fault = { when: 'answering', change: () => false }
  const plans: readonly (readonly [string, Plan, Plan])[] = [
    ['at the first page of R2', inTurn('erase', failed), () => undefined],
    ['at a later page of R2', inTurn('erase', more, more, failed), () => undefined],
    ['three times at R2', inTurn('erase', failed, failed, failed), () => undefined],
    ['at D1', () => undefined, inTurn('erase', failed)],
    ['at R2, then at D1', inTurn('erase', failed), inTurn('erase', failed)],
    ['at R2 in the second sweep', inTurn('erase', undefined, failed), () => undefined],
    ['at D1 in the second sweep', () => undefined, inTurn('erase', undefined, failed)],
  ]

  test.each(plans)('%s goes on with the alarm until nothing is left', async (_, r2, d1) => {
    const bench = await lived()
    bench.breakMemex(r2)
    bench.breakLogs(d1)
    await bench.missions.apply(erased(bench.owner))
    await ringOut(bench)
    expect(bench.reports.some((r) => r.event === 'mission_job_failed')).toBe(true)
    await expectNothingLeft(bench)
  })

  test.each([0, 1, 2])('goes on after the object died behind step %i', async (rings) => {
    const bench = await lived()
    bench.breakMemex(inTurn('erase', undefined, failed))
    await bench.missions.apply(erased(bench.owner))
    for (let n = 0; n < rings; n++) {
      bench.wait(10 * MINUTE)
      await bench.ring()
    }
    await evictDurableObject(bench.stub())
    await ringOut(bench)
    await expectNothingLeft(bench)
  })

  test('is never given up', async () => {
    const bench = await lived()
    bench.breakMemex(always('erase', failed))
    await bench.missions.apply(erased(bench.owner))
    for (let n = 0; n < 30; n++) {
      bench.wait(20 * MINUTE)
      expect(await bench.ring()).toBe(true)
    }
    bench.breakMemex(() => undefined)
    await ringOut(bench)
    await expectNothingLeft(bench)
  })

  test('makes room after twenty pages and goes on at once', async () => {
    const bench = await lived()
    const memex = bench.breakMemex((method, call) =>
      method === 'erase' && call <= 25 ? more : undefined,
    )
    await bench.missions.apply(erased(bench.owner))
    await bench.ring()
    expect(callsOf(memex, 'erase')).toBe(20)
    expect(await bench.alarmAt()).toBe(bench.now())
    await ringOut(bench)
    await expectNothingLeft(bench)
  })
})

describe('a time to live', () => {
  test('erases the mission when it is over, counted from its opening', async () => {
    const bench = await lived({ ttl_days: 2 })
    expect(await bench.sql(`SELECT at FROM due WHERE name = 'ttl'`)).toEqual([
      { at: NOW + 2 * DAY },
    ])
    bench.wait(2 * DAY - 1)
    await bench.ring()
    expect((await bench.missions.read(bench.owner))?.state.status).toBe('active')
    bench.wait(1)
    await ringOut(bench)
    await expectNothingLeft(bench)
    expect(await bench.missions.apply(reported(bench.owner, 1))).toMatchObject({ ok: false })
  })

  test('is moved by a later setting', async () => {
    const bench = await lived({ ttl_days: 1 })
    await bench.missions.apply(configured(bench.owner, { ttl_days: 3 }))
    bench.wait(DAY)
    await bench.ring()
    expect((await bench.missions.read(bench.owner))?.state.status).toBe('active')
    bench.wait(2 * DAY)
    await ringOut(bench)
    await expectNothingLeft(bench)
  })

  test('is kept though D1 is down', async () => {
    const bench = await lived({ ttl_days: 1 })
    bench.breakLogs(always('write', before('down')))
    await bench.missions.apply(reported(bench.owner, 1))
    bench.wait(DAY)
    await bench.ring()
    expect((await bench.missions.read(bench.owner))?.state.status).toBe('erased')
  })
})
