import { describe, expect, it } from 'vitest'
import { nameOf } from '../../../src/domain/context/answered.ts'
import { conversationsOf } from '../../../src/domain/context/conversation.ts'
import type { Speaker } from '../../../src/domain/context/conversation.ts'
import { at, missionLog } from '../../support/mission-log.ts'

const names = (...ids: readonly string[]): string =>
  ids.map((id) => nameOf({ call_id: id, tool: 'grep' }, 100)).join('')
const known = (id: string, ...ids: readonly string[]): Speaker => ({
  id,
  named: false,
  names: names(...ids),
})

/** A mission that hears reports of conversations. */
function mission() {
  const log = missionLog()
  return {
    log,
    report: (speaker: Speaker | undefined, percent: number, seconds: number, more: object = {}) =>
      log.apply(
        {
          type: 'context_reported',
          report: { used_percentage: percent },
          look: null,
          named: { window_tokens: 1000 },
          turn: null,
          cause: 'report',
          task_complete: false,
          ...more,
        } as never,
        at(seconds),
        { speaker },
      ),
  }
}

describe('the conversations of a mission', () => {
  it('keep a reading each, and the mission has that of the one that reported last', () => {
    const { log, report } = mission()
    report(known('~a'), 40, 1)
    report(known('~b'), 10, 2)
    expect(log.state().context).toMatchObject({ conversation: '~b', number: 2 })
    report(known('~a'), 41, 3)
    expect(log.state().context).toMatchObject({ conversation: '~a', number: 1 })
    expect(conversationsOf(log.state())).toEqual([
      { id: '~a', at: at(3), percent: 41 },
      { id: '~b', at: at(2), percent: 10 },
    ])
    expect(log.state().contexts.begun).toBe(2)
  })

  it('begin with what was reported before any was known', () => {
    const { log, report } = mission()
    report(undefined, 40, 1)
    report(known('~a'), 41, 2)
    expect(log.state().context).toMatchObject({ conversation: '~a', number: 1 })
    expect(log.state().conversations).toEqual([])
  })

  it('are one where the task was completed and another begins', () => {
    const { log, report } = mission()
    report(known('~a'), 80, 1, { task_complete: true })
    report(known('~b'), 5, 2)
    expect(log.state()).toMatchObject({
      context: { conversation: '~b', number: 2, task_done: false },
      contexts: { begun: 2, completed: 1 },
      conversations: [],
    })
  })

  it('have one context, whoever reports without naming one', () => {
    const { log, report } = mission()
    report(known('~a'), 40, 1)
    report(undefined, 44, 2)
    expect(conversationsOf(log.state())).toMatchObject([{ id: '~a', percent: 44 }])
  })
})
