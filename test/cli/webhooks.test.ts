import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createFetchWebhooks } from '../../src/adapters/webhooks/fetch-webhooks.ts'
import { endpoints } from '../../src/domain/hooks/endpoint.ts'
import { missionLog } from '../support/mission-log.ts'
import { hostReport as reported } from '../support/occurrences.ts'
import { startReceiver } from '../support/receiver.ts'
import type { Reaction } from '../support/receiver.ts'
import { PREVIOUS_SECRET, SECRET } from '../support/signed-webhook.ts'

const START = Date.UTC(2026, 10, 30, 12)
const TIMEOUT_MS = 250

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const stop of stops.splice(0)) await stop()
})

/** A mission whose events go to a real receiver, by the alarm of a clock that a test moves. */
async function called(react: (count: number) => Reaction, secrets = [SECRET]) {
  const receiver = await startReceiver((_got, count) => react(count))
  stops.push(receiver.stop)
  const list = endpoints.parse([
    { id: 'alerts', direction: 'outbound', tenant: 'acme', secrets, url: receiver.url },
  ])
  let now = START
  const at = () => new Date(now).toISOString()
  const webhooks = createFetchWebhooks(list, () => now, TIMEOUT_MS)
  const log = missionLog(webhooks.subscriptions('acme') ?? [])
  const pending = () => log.records('delivery').filter(({ due }) => typeof due === 'number')
  /** Moves the clock to the next attempt and makes it; false when there is none. */
  const ring = async (): Promise<boolean> => {
    const [next] = pending().toSorted((one, other) => (one.due ?? 0) - (other.due ?? 0))
    if (next === undefined) return false
    now = Math.max(now, next.due ?? 0)
    const attempt = await webhooks.send('acme', next.body)
    log.apply({ type: 'delivery_tried', key: next.key, attempt }, at())
    return true
  }
  const deliveries = () => log.records('delivery').map(({ body }) => body)
  log.apply(reported(61), at())
  return { receiver, log, ring, deliveries, elapsed: () => (now - START) / 1000, at }
}

describe('a receiver on loopback', () => {
  test('a receiver gets a signed webhook that the reference library verifies under both keys of a rotation', async () => {
    const { receiver, ring, deliveries } = await called(() => 204, [SECRET, PREVIOUS_SECRET])
    expect(await ring()).toBe(true)
    expect(deliveries()).toMatchObject([{ state: 'delivered', last: { outcome: '204' } }])
    const [got] = receiver.got
    const headers = Object.fromEntries(
      Object.entries(got?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'm~1_1-1' })
    vi.useFakeTimers({ toFake: ['Date'], now: START })
    for (const secret of [SECRET, PREVIOUS_SECRET])
      expect(new Webhook(secret).verify(got?.body ?? '', headers)).toEqual({
        type: 'zone.changed',
        timestamp: '2026-11-30T12:00:00.000Z',
        data: { mission: 'm.1', from: 'green', to: 'amber', percent: 61 },
      })
    expect(await ring()).toBe(false)
  })

  test('a receiver that answers 500 is called again on the schedule until the delivery is dead', async () => {
    const { receiver, ring, deliveries, elapsed } = await called(() => 500)
    const times: number[] = []
    while (await ring()) times.push(elapsed())
    // 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, one after the other.
    expect(times).toEqual([0, 5, 305, 2105, 9305, 27_305, 63_305, 99_305])
    expect(deliveries()).toMatchObject([{ state: 'dead', tries: 8, last: { outcome: '500' } }])
    expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const signed = receiver.got.map(({ headers }) => Number(headers['webhook-timestamp']))
    expect(signed).toEqual(times.map((seconds) => START / 1000 + seconds))
  })

  test('a receiver that recovers gets the same body again', async () => {
    const { receiver, ring, deliveries } = await called((count) => (count < 3 ? 503 : 200))
    while (await ring()) continue
    expect(deliveries()).toMatchObject([{ state: 'delivered', tries: 3 }])
    expect(new Set(receiver.got.map(({ body }) => body)).size).toBe(1)
  })

  test.each([
    ['never answers', 'silence', 'timeout'],
    ['breaks the connection', 'reset', 'unreachable'],
  ] as const)('a receiver that %s is called again', async (_what, reaction, outcome) => {
    const { ring, deliveries, elapsed } = await called((count) => (count === 1 ? reaction : 200))
    await ring()
    expect(deliveries()).toMatchObject([{ state: 'pending', last: { outcome } }])
    await ring()
    expect(elapsed()).toBe(5)
    expect(deliveries()).toMatchObject([{ state: 'delivered' }])
  })

  test('a receiver that does not listen is called again', async () => {
    const { receiver, ring, deliveries } = await called(() => 200)
    await receiver.stop()
    stops.length = 0
    await ring()
    expect(deliveries()).toMatchObject([{ state: 'pending', last: { outcome: 'unreachable' } }])
  })

  test('a redirect is not followed and counts as a failure', async () => {
    const elsewhere = await startReceiver(() => 200)
    stops.push(elsewhere.stop)
    const { ring, deliveries, elapsed } = await called(() => ({ redirect: elsewhere.url }))
    await ring()
    expect(deliveries()).toMatchObject([{ state: 'pending', last: { outcome: '302' } }])
    await ring()
    expect(elapsed()).toBe(5)
    expect(elsewhere.got).toEqual([])
  })

  test('a receiver that answers 410 is not called again, for this event or a later one', async () => {
    const { receiver, log, ring, deliveries, at } = await called(() => 410)
    await ring()
    expect(deliveries()).toMatchObject([{ state: 'dead', last: { outcome: '410' } }])
    log.apply(reported(71), at())
    expect(await ring()).toBe(false)
    expect(receiver.got).toHaveLength(1)
  })
})
