import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../../src/domain/hooks/receipt.ts'
import type { MissionEvent } from '../../../src/domain/ledger/event.ts'
import type { Phase } from '../../../src/domain/mission/phases.ts'
import { at, missionLog, permutations } from '../../support/mission-log.ts'
import { hostReport } from '../../support/occurrences.ts'

const usage = (percent: number): MissionEvent => hostReport(percent, { cause: 'phase.completed' })

const received = (
  id: string,
  occurred_at: string,
  events: readonly MissionEvent[],
  sha256 = `sha of ${id}`,
): MissionEvent => ({
  type: 'webhook_received',
  claim: { id, sha256, by: `call of ${id}` },
  occurred_at,
  effects: events.map((event) => ({ event })),
  refused: [],
})

const phase = (to: Phase): MissionEvent => ({ type: 'phase_signalled', to })

type Log = ReturnType<typeof missionLog>

const receiptOf = (log: Log, id: string): Receipt => {
  const [record] = log.find('receipt', [id])
  return record === undefined ? expect.fail(`no receipt of ${id}`) : (record.body as Receipt)
}
const answerOf = (log: Log, id: string): unknown =>
  JSON.parse(receiptOf(log, id).answer?.text ?? 'null')
const outcomeOf = (log: Log, id: string): unknown =>
  (answerOf(log, id) as { outcome: string }).outcome

/** All but what counts the events themselves. */
const settled = (log: Log) => ({ ...log.state(), version: 0, updated_at: '', created_at: '' })

describe('a webhook', () => {
  it('leaves its effect, its answer and what it tells in one change', () => {
    const log = missionLog()
    const change = log.apply(received('w1', at(1), [usage(61), phase('locate')]), at(2))
    expect(change.state.phase).toBe('locate')
    expect(change.records.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['sample', 'receipt', 'event']),
    )
    expect(log.find('receipt', ['w1'])[0]?.body).toEqual({
      sha256: 'sha of w1',
      by: 'call of w1',
      answer: {
        status: 200,
        media: 'application/json',
        text: '{"mission":"m.1","outcome":"applied","phase":"locate","status":"active","refused":[]}',
      },
    })
    expect(log.told().map(({ type }) => type)).toEqual([
      'context.sampled',
      'zone.changed',
      'phase.completed',
      'phase.started',
    ])
  })

  it('that comes again changes nothing at all', () => {
    const log = missionLog()
    const first = log.apply(received('w1', at(1), [usage(61), phase('locate')]), at(2))
    const again = log.apply(received('w1', at(1), [usage(61), phase('locate')]), at(3))
    expect(again).toEqual({
      state: first.state,
      records: [],
      removed: [],
      outbox: [],
      due: {},
      expired: null,
    })
  })

  it('leaves a mission that is over in its phase, and lets the rest of itself count', () => {
    const log = missionLog()
    const escalation = {
      id: 'e1',
      trigger: 'ET-1',
      fired_at: at(1),
      on_probe: null,
      on_path: null,
      action_taken: 'halt',
      status: 'open',
      resolution: null,
    } as const
    const resolution = { decision: 'abandon', note: '', at: at(2), child: null } as const
    log.apply({ type: 'escalated', escalation }, at(1))
    log.apply({ type: 'escalation_resolved', id: 'e1', resolution }, at(2))
    const halting = { type: 'escalated', escalation: { ...escalation, id: 'e2' } } as const
    log.apply(received('w1', at(3), [usage(30), phase('locate'), halting]), at(3))
    expect(answerOf(log, 'w1')).toMatchObject({
      outcome: 'applied',
      phase: 'assess',
      status: 'completed',
      refused: [{ part: 'escalated', code: 'mission_completed' }],
    })
    log.apply(received('w2', at(4), [phase('traverse')]), at(4))
    expect(outcomeOf(log, 'w2')).toBe('unchanged')
    expect(log.state().hooks.parked).toEqual([])
  })

  it('with the id of another one is refused, and changes nothing', () => {
    const log = missionLog()
    log.apply(received('w1', at(1), [phase('locate')]), at(2))
    const other = log.tryApply(received('w1', at(1), [phase('abstract')], 'other'), at(3))
    expect(other.ok ? null : other.error.code).toBe('idempotency_key_reused')
    expect(log.state().phase).toBe('locate')
  })

  it('is forgotten after 30 days, and its receipt may go', () => {
    const log = missionLog()
    const day = 24 * 3600
    log.apply(received('w1', at(0), [usage(10)]), at(0))
    expect(log.apply(received('w1', at(0), [usage(10)]), at(30 * day)).records).toEqual([])
    const later = log.apply(received('w1', at(0), [usage(10)], 'other'), at(30 * day + 1))
    expect(later.records.map(({ kind }) => kind)).toContain('receipt')
    expect(later.expired).toEqual({ kind: 'receipt', before: at(1) })
  })

  it('none of whose parts can be applied leaves nothing, so that it may come again', () => {
    const log = missionLog()
    const unknown: MissionEvent = {
      ...usage(0),
      type: 'context_reported',
      report: { counted: 100 },
    } as MissionEvent
    const refused = log.tryApply(received('w1', at(1), [unknown]), at(2))
    expect(refused.ok ? null : refused.error.code).toBe('window_unknown')
    expect(() => log.state()).toThrow('nothing happened')
    log.apply(received('w2', at(1), [unknown, phase('locate')]), at(2))
    expect(answerOf(log, 'w2')).toMatchObject({ outcome: 'deferred', phase: 'locate', refused: [] })
  })

  it('that is late adds its sample to the history, and leaves the newer reading', () => {
    const log = missionLog()
    log.apply(received('w2', at(20), [usage(62)]), at(21))
    log.apply(received('w1', at(10), [usage(40)]), at(22))
    expect(log.state().context.reading).toMatchObject({ percent: 62, at: at(20) })
    expect(log.records('sample').map(({ body }) => body)).toMatchObject([
      { percent: 62, at: at(20) },
      { percent: 40, at: at(10) },
    ])
  })

  it.each([
    '2099-01-01T00:00:00.000Z',
    // The last hour of 9999 in a zone behind UTC, as `toISOString` writes it.
    '+010000-01-01T00:30:00.000Z',
  ])('from a clock that runs ahead to %s does not make later ones look old', (ahead) => {
    const log = missionLog()
    log.apply(received('w1', ahead, [usage(40)]), at(1))
    expect(log.state().context.reading).toMatchObject({ percent: 40, at: at(1) })
    log.apply(received('w2', at(2), [usage(50)]), at(3))
    expect(log.state().context.reading).toMatchObject({ percent: 50, at: at(2) })
  })
})

describe('phases that a platform announces', () => {
  const five = (['traverse', 'locate', 'abstract', 'synthesize', 'completed'] as const).map(
    (to, index) => received(`w-${to}`, at(index), [usage(10 * (index + 1)), phase(to)]),
  )

  it('end in one state, whatever the order and however often each arrives', () => {
    const states = new Set<string>()
    let orders = 0
    for (const order of permutations(five)) {
      const log = missionLog()
      for (const [index, event] of order.entries()) log.apply(event, at(100 + index))
      for (const event of order.toReversed()) log.apply(event, at(200))
      states.add(JSON.stringify(settled(log)))
      orders += 1
    }
    expect(orders).toBe(120)
    expect([...states].map((state) => JSON.parse(state) as unknown)).toMatchObject([
      { phase: 'abstract', hooks: { parked: [{ to: 'synthesize' }, { to: 'completed' }] } },
    ])
  })

  it('wait at the gate, say so, and go on as soon as it holds', () => {
    const log = missionLog()
    log.apply(received('w1', at(1), [phase('synthesize')]), at(2))
    expect(outcomeOf(log, 'w1')).toBe('deferred')
    expect(receiptOf(log, 'w1').answer?.status).toBe(202)
    log.apply(received('w2', at(1), [phase('abstract')]), at(3))
    expect(outcomeOf(log, 'w2')).toBe('applied')
    expect(log.state()).toMatchObject({ phase: 'abstract', hooks: { parked: [{ at: at(1) }] } })
  })

  it('that a mission has passed change nothing', () => {
    const log = missionLog()
    log.apply(received('w1', at(1), [phase('locate')]), at(2))
    log.apply(received('w2', at(3), [phase('locate')]), at(4))
    log.apply(received('w3', at(0), [phase('traverse')]), at(5))
    expect([outcomeOf(log, 'w2'), outcomeOf(log, 'w3')]).toEqual(['unchanged', 'unchanged'])
    expect(log.state().phase).toBe('locate')
  })
})
