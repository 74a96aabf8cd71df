import { describe, expect, it } from 'vitest'
import type { MissionEvent } from '../../../src/domain/ledger/event.ts'
import { escalationOf } from '../../../src/operations/fold/escalations/record-escalation.ts'
import { at, missionLog } from '../../support/mission-log.ts'
import { hostReport, masked } from '../../support/occurrences.ts'

const reported = (percent: number, task_complete = false): MissionEvent =>
  hostReport(percent, { task_complete })

const escalated = (id: string, action_taken: 'halt' | 'annotate'): MissionEvent => ({
  type: 'escalated',
  escalation: escalationOf({ trigger: 'ET-1', fired_at: at(0), action_taken }, id),
})

const types = (log: ReturnType<typeof missionLog>): string[] => log.told().map(({ type }) => type)

describe('what is told of a mission', () => {
  it('is every sample, and every change of zone, up and down', () => {
    const log = missionLog()
    for (const percent of [10, 61, 62, 90, 5]) log.apply(reported(percent), at(percent))
    const zones = log.told().filter(({ type }) => type === 'zone.changed')
    expect(zones.map(({ data }) => [data['from'], data['to']])).toEqual([
      ['green', 'amber'],
      ['amber', 'critical'],
      ['critical', 'green'],
    ])
    expect(types(log).filter((type) => type === 'context.sampled')).toHaveLength(5)
    expect(log.told()[0]).toEqual({
      type: 'context.sampled',
      timestamp: at(10),
      data: {
        mission: 'm.1',
        percent: 10,
        tokens: null,
        method: 'host',
        zone: 'green',
        cause: 'report',
      },
    })
  })

  it('is a mask with the line of its log', () => {
    const log = missionLog()
    log.apply(masked({ tenant: 'acme', mission: 'm.1' }, 'run-1', 3).event, at(0))
    const [mask] = log.told().filter(({ type }) => type === 'outputs.masked')
    expect(mask?.data).toMatchObject({ id: 'run-1', masked: 3, percent: 5 })
    expect(mask?.data['line']).toBe(`[${at(0)}] masked 3 outputs, new context %: 5`)
  })

  it('is the advice to switch, once', () => {
    const log = missionLog()
    log.apply(reported(20), at(0))
    log.apply(reported(20, true), at(1))
    log.apply(reported(21, true), at(2))
    expect(types(log).filter((type) => type === 'switch.advised')).toHaveLength(1)
  })

  it('is an escalation, opened or only recorded, and its resolution', () => {
    const log = missionLog()
    log.apply(escalated('e1', 'annotate'), at(0))
    log.apply(escalated('e2', 'halt'), at(1))
    const resolution = { decision: 'resume', note: '', at: at(2), child: null } as const
    log.apply({ type: 'escalation_resolved', id: 'e2', resolution }, at(2))
    expect(log.told().map(({ type, data }) => [type, data['id']])).toEqual([
      ['escalation.recorded', 'e1'],
      ['escalation.opened', 'e2'],
      ['escalation.resolved', 'e2'],
    ])
  })

  it('is the end of one phase and the start of the next', () => {
    const log = missionLog()
    log.apply({ type: 'phase_moved', to: 'locate' }, at(0))
    log.apply({ type: 'phase_moved', to: 'locate' }, at(1))
    expect(log.told()).toMatchObject([
      { type: 'phase.completed', data: { phase: 'assess' } },
      { type: 'phase.started', data: { phase: 'locate' } },
    ])
  })

  it('has an id of its own, in order', () => {
    const log = missionLog()
    for (const percent of [61, 10, 61]) log.apply(reported(percent), at(percent))
    expect(log.records('event').map(({ key }) => key)).toEqual([
      '1-0',
      '1-1',
      '2-0',
      '2-1',
      '3-0',
      '3-1',
    ])
  })

  it('is nothing where only a receipt was written, and the mission is as it was', () => {
    const log = missionLog()
    log.apply(reported(10), at(0))
    const before = log.state()
    const claim = { id: 'key k-1', sha256: 'a', by: 'b' }
    log.apply({ type: 'request_claimed', claim }, at(1))
    const answer = { status: 200, media: 'application/json', text: '{}' }
    const change = log.apply({ type: 'request_answered', claim, answer }, at(2))
    expect(log.state()).toBe(before)
    expect(change.outbox).toEqual([])
    expect(types(log)).toEqual(['context.sampled'])
  })

  it('is nothing any more once the mission is erased', () => {
    const log = missionLog()
    log.apply(reported(90), at(0))
    const change = log.apply({ type: 'erased' }, at(1))
    expect(change.records).toEqual([])
  })
})
