import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { RETRY_DELAYS_MS } from '../../../src/domain/hooks/delivery.ts'
import type { Attempt, Delivery } from '../../../src/domain/hooks/delivery.ts'
import type { Webhooks } from '../../../src/ports.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { occurrence, reported } from '../../support/occurrences.ts'

const ENDPOINT = { endpoint: 'alerts', url: 'https://alerts.example/', events: ['zone.changed'] }

/** Receivers that answer what a test says, and remember what they got. */
function receivers(answer: (delivery: Delivery) => Attempt | Promise<Attempt>) {
  const got: Delivery[] = []
  const subscriptions = [ENDPOINT]
  const webhooks: Webhooks = {
    subscriptions: () => subscriptions,
    send: async (_tenant, delivery) => {
      got.push(delivery)
      return await answer(delivery)
    },
  }
  return { got, subscriptions, webhooks }
}

const status = (code: number): Attempt => ({ status: code, retry_after_s: null })

async function deliveriesOf(bench: ReturnType<typeof missionBench>) {
  const page = await bench.missions.page(bench.owner, 'delivery', { limit: 100 })
  return page.items.map(({ body }) => body)
}

describe('webhooks of a mission', () => {
  test('go out by the alarm, and the alarm is off when all are delivered', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, webhooks } = receivers(() => status(204))
    bench.sendBy(webhooks)
    await bench.missions.apply(reported(bench.owner, 61))
    expect(await bench.alarmAt()).toBe(bench.now())
    await bench.ring()
    expect(got).toMatchObject([
      { endpoint: 'alerts', event: { type: 'zone.changed', data: { to: 'amber' } }, tries: 0 },
    ])
    expect(await deliveriesOf(bench)).toMatchObject([{ state: 'delivered', tries: 1 }])
    expect(await bench.alarmAt()).toBeNull()
  })

  test('are retried on the schedule through evictions, under one message id, then are dead', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, webhooks } = receivers(() => status(500))
    bench.sendBy(webhooks)
    await bench.missions.apply(reported(bench.owner, 61))
    const waits: number[] = []
    for (;;) {
      await bench.ring()
      const next = await bench.alarmAt()
      if (next === null) break
      waits.push(next - bench.now())
      bench.wait(next - bench.now() - 1)
      // A moment too early: nothing is due yet.
      await bench.ring()
      bench.wait(1)
      await evictDurableObject(bench.stub())
    }
    expect(waits).toEqual([...RETRY_DELAYS_MS])
    expect(got).toHaveLength(8)
    expect(new Set(got.map(({ message }) => message)).size).toBe(1)
    expect(await deliveriesOf(bench)).toMatchObject([{ state: 'dead', last: { outcome: '500' } }])
  })

  test('wait while it can’t be read whom to call, without an attempt', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, webhooks } = receivers(() => status(200))
    bench.sendBy(webhooks)
    await bench.missions.apply(reported(bench.owner, 61))
    bench.sendBy({ ...webhooks, subscriptions: () => null })
    for (let rings = 0; rings < 10; rings++) {
      await bench.ring()
      bench.wait(((await bench.alarmAt()) ?? 0) - bench.now())
    }
    expect(await deliveriesOf(bench)).toMatchObject([{ state: 'pending', tries: 0 }])
    expect(bench.reports).toMatchObject(Array(10).fill({ job: 'webhooks' }))
    bench.sendBy(webhooks)
    await bench.ring()
    expect(got).toHaveLength(1)
    expect(await deliveriesOf(bench)).toMatchObject([{ state: 'delivered' }])
  })

  test('go out six at a time until none is left', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, webhooks } = receivers(() => status(200))
    bench.sendBy(webhooks)
    for (let n = 0; n < 20; n++)
      await bench.missions.apply(reported(bench.owner, n % 2 === 0 ? 61 : 10))
    let rings = 0
    while (await bench.ring()) rings += 1
    expect(rings).toBe(4)
    expect(new Set(got.map(({ message }) => message)).size).toBe(20)
  })

  test('end with a 410, and those on their way to that endpoint are dead without a call', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, webhooks } = receivers(() => status(got.length === 1 ? 410 : 500))
    bench.sendBy(webhooks)
    for (const percent of [61, 10, 62, 11, 63, 12, 64])
      await bench.missions.apply(reported(bench.owner, percent))
    await bench.ring()
    expect(got).toHaveLength(6)
    bench.wait(3600_000)
    while (await bench.ring()) continue
    expect(got).toHaveLength(6)
    const all = await deliveriesOf(bench)
    const ends = all.map(({ last, state }) => `${state} ${last?.outcome}`)
    expect(ends.filter((end) => end === 'dead 410')).toHaveLength(1)
    expect(ends.filter((end) => end === 'dead endpoint_disabled')).toHaveLength(6)
    await bench.missions.apply(reported(bench.owner, 71))
    expect(await deliveriesOf(bench)).toHaveLength(7)
  })

  test('to an endpoint that is configured no more are dead letters', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, subscriptions, webhooks } = receivers(() => status(500))
    bench.sendBy(webhooks)
    await bench.missions.apply(reported(bench.owner, 61))
    subscriptions.pop()
    await bench.ring()
    expect(got).toEqual([])
    expect(await deliveriesOf(bench)).toMatchObject([
      { state: 'dead', last: { outcome: 'endpoint_removed' } },
    ])
  })

  test('that are sent again start from the beginning', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const { got, webhooks } = receivers(() => status(got.length === 1 ? 410 : 200))
    bench.sendBy(webhooks)
    await bench.missions.apply(reported(bench.owner, 61))
    await bench.ring()
    const [{ key }] = (await bench.sql("SELECT key FROM records WHERE kind = 'delivery'")) as [
      { key: string },
    ]
    const resent = occurrence(bench.owner, { type: 'delivery_resent', key }, bench.now())
    expect(await bench.missions.apply(resent)).toMatchObject({ ok: true })
    await bench.ring()
    expect(got.map(({ tries }) => tries)).toEqual([0, 0])
    expect(await deliveriesOf(bench)).toMatchObject([{ state: 'delivered' }])
  })

  test('of an event that comes while others are being sent go out too', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const { got, webhooks } = receivers(async () => {
      if (got.length === 1) await held
      return status(200)
    })
    bench.sendBy(webhooks)
    await bench.missions.apply(reported(bench.owner, 61))
    const ringing = bench.ring()
    await bench.missions.apply(reported(bench.owner, 71))
    release()
    await ringing
    while (await bench.ring()) continue
    expect(await deliveriesOf(bench)).toMatchObject([
      { state: 'delivered' },
      { state: 'delivered' },
    ])
  })
})

describe('receipts', () => {
  test('that are older than 30 days are deleted, a hundred a change', async () => {
    const bench = missionBench()
    bench.unbindLogs()
    const claim = (id: string) => ({ id, sha256: id, by: id })
    const boundary = { event: { type: 'boundary_reached', cause: 'Stop' } } as const
    const receive = (id: string) =>
      bench.missions.apply(
        occurrence(
          bench.owner,
          {
            type: 'webhook_received',
            claim: claim(id),
            occurred_at: new Date(bench.now()).toISOString(),
            effects: [boundary],
            refused: [],
          },
          bench.now(),
        ),
      )
    for (let n = 0; n < 120; n++) await receive(`old-${n}`)
    bench.wait(31 * 24 * 3600_000)
    const left = "SELECT count(*) AS n FROM records WHERE kind = 'receipt'"
    await receive('new-1')
    expect(await bench.sql(left)).toEqual([{ n: 21 }])
    await receive('new-2')
    expect(await bench.sql(left)).toEqual([{ n: 2 }])
  })
})
