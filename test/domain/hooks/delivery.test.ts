import { describe, expect, it } from 'vitest'
import { RETRY_DELAYS_MS } from '../../../src/domain/hooks/delivery.ts'
import type { Attempt, Delivery } from '../../../src/domain/hooks/delivery.ts'
import { OUTBOUND_TYPES } from '../../../src/domain/mission/live-event.ts'
import { at, missionLog } from '../../support/mission-log.ts'
import { hostReport as report } from '../../support/occurrences.ts'

const SUBSCRIPTION = {
  endpoint: 'alerts',
  url: 'https://alerts.example/',
  events: [...OUTBOUND_TYPES],
}

const status = (code: number, retry_after_s: number | null = null): Attempt => ({
  status: code,
  retry_after_s,
})

/** A mission with one delivery due, and how to try it. */
function withDelivery() {
  const log = missionLog([SUBSCRIPTION])
  log.apply(report(61), at(0))
  const [record] = log.records('delivery')
  const key = record?.key ?? ''
  return {
    log,
    key,
    delivery: () => log.find('delivery', [key])[0]?.body as Delivery,
    dueAt: () => log.find('delivery', [key])[0]?.due ?? null,
    attempt: (attempt: Attempt, when: string) =>
      log.apply({ type: 'delivery_tried', key, attempt }, when),
  }
}

describe('a delivery', () => {
  it('is made of each event that somebody subscribed to, due at once', () => {
    const log = missionLog([
      SUBSCRIPTION,
      { ...SUBSCRIPTION, endpoint: 'b', events: ['fold.rejected'] },
    ])
    const change = log.apply(report(61), at(0))
    expect(log.records('delivery')).toMatchObject([
      {
        key: '1-1_alerts',
        due: Date.parse(at(0)),
        body: {
          message: 'm~1_1-1',
          endpoint: 'alerts',
          event: {
            type: 'zone.changed',
            timestamp: at(0),
            data: { mission: 'm.1', from: 'green', to: 'amber', percent: 61 },
          },
          state: 'pending',
        },
      },
    ])
    expect(change.due.webhooks).toBe(Date.parse(at(0)))
    expect(log.apply(report(62), at(1)).due.webhooks).toBeUndefined()
  })

  it('is tried at once and then after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h', () => {
    const { attempt, delivery, dueAt } = withDelivery()
    const waits: number[] = []
    let now = Date.parse(at(0))
    while (delivery().state === 'pending') {
      attempt(status(500), new Date(now).toISOString())
      const due = dueAt()
      if (due === null) break
      waits.push(due - now)
      now = due
    }
    const minutes = [5 / 60, 5, 30, 120, 300, 600, 600]
    expect(waits.map((ms) => ms / 60_000)).toEqual(minutes)
    expect(waits).toEqual([...RETRY_DELAYS_MS])
    expect(delivery()).toMatchObject({
      state: 'dead',
      tries: 8,
      next_at: null,
      last: { outcome: '500' },
    })
  })

  it.each([
    ['200', status(200), 'delivered'],
    ['204', status(204), 'delivered'],
    ['a redirect', status(302), 'pending'],
    ['404', status(404), 'pending'],
    ['a timeout', { failed: 'timeout' }, 'pending'],
    ['an unreachable host', { failed: 'unreachable' }, 'pending'],
    ['410', status(410), 'dead'],
    ['an endpoint that is configured no more', { failed: 'endpoint_removed' }, 'dead'],
  ] as const)('answered with %s is %s', (_what, outcome, state) => {
    const { attempt, delivery } = withDelivery()
    attempt(outcome, at(1))
    expect(delivery().state).toBe(state)
  })

  it('is put off as long as the receiver asks, up to 10 hours', () => {
    const one = withDelivery()
    one.attempt(status(503, 60), at(0))
    expect(one.dueAt()).toBe(Date.parse(at(60)))
    const other = withDelivery()
    other.attempt(status(429, 1e9), at(0))
    expect(other.dueAt()).toBe(Date.parse(at(36_000)))
    const early = withDelivery()
    early.attempt(status(503, 1), at(0))
    expect(early.dueAt()).toBe(Date.parse(at(5)))
  })

  it('answered with 410 disables its endpoint, until one is sent again', () => {
    const { attempt, delivery, key, log } = withDelivery()
    attempt(status(410), at(1))
    log.apply(report(71), at(2))
    log.apply(report(86), at(3))
    expect(log.records('delivery')).toHaveLength(1)
    log.apply({ type: 'delivery_resent', key }, at(4))
    expect(delivery()).toMatchObject({ state: 'pending', tries: 0, next_at: at(4) })
    log.apply(report(50), at(5))
    expect(log.records('delivery')).toHaveLength(2)
  })

  it('goes to an endpoint that moved after it was disabled', () => {
    const subscriptions = [SUBSCRIPTION]
    const log = missionLog(subscriptions)
    log.apply(report(61), at(0))
    const gone = { type: 'delivery_tried', key: '1-1_alerts', attempt: status(410) } as const
    log.apply(gone, at(1))
    log.apply(report(71), at(2))
    expect(log.records('delivery')).toHaveLength(1)
    const url = 'https://alerts.example/new'
    subscriptions[0] = { ...SUBSCRIPTION, url }
    log.apply(report(86), at(3))
    expect(log.records('delivery').map(({ body }) => body.url)).toEqual([SUBSCRIPTION.url, url])
  })

  it('answered with 410 by an endpoint that moved meanwhile disables it where it is now', () => {
    const subscriptions = [SUBSCRIPTION]
    const log = missionLog(subscriptions)
    log.apply(report(61), at(0))
    const url = 'https://alerts.example/new'
    subscriptions[0] = { ...SUBSCRIPTION, url }
    const gone = { type: 'delivery_tried', key: '1-1_alerts', attempt: status(410), url } as const
    log.apply(gone, at(1))
    log.apply(report(71), at(2))
    expect(log.records('delivery')).toMatchObject([{ body: { url, state: 'dead' } }])
    subscriptions[0] = SUBSCRIPTION
    log.apply(report(86), at(3))
    expect(log.records('delivery')).toHaveLength(2)
  })

  it('that was delivered, or is not known, is not sent again', () => {
    const { attempt, delivery, log } = withDelivery()
    attempt(status(200), at(1))
    attempt(status(500), at(2))
    expect(delivery().state).toBe('delivered')
    const unknown = log.tryApply({ type: 'delivery_resent', key: 'nothing' }, at(3))
    expect(unknown.ok ? null : unknown.error.code).toBe('delivery_not_found')
  })
})
