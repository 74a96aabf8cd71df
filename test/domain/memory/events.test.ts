import { beforeEach, describe, expect, it } from 'vitest'
import type { ExtractDue } from '../../../src/domain/context/context-state.ts'
import type { Look } from '../../../src/domain/context/report/look.ts'
import type { MissionEvent } from '../../../src/domain/ledger/event.ts'
import { adviceFor } from '../../../src/domain/ledger/situation.ts'
import type { MemoryEvent } from '../../../src/domain/memory/events.ts'
import { missionLog } from '../../support/mission-log.ts'
import { hostReport } from '../../support/occurrences.ts'

const at = (minute: number) => `2026-11-30T10:${String(minute).padStart(2, '0')}:00.000Z`

let log: ReturnType<typeof missionLog>
beforeEach(() => {
  log = missionLog()
})

const report = (percent: number, turn: number | null = null, more = {}): MissionEvent =>
  hostReport(percent, { turn, ...more })
/** A look at a transcript with these outputs, of which a mask would take none. */
const lookOf = (due: readonly ExtractDue[]): Look => ({
  turns: 5,
  outputs: due.map((one) => ({
    ...one,
    tokens: 0,
    later: 0,
    open: false,
    fresh: false,
    reads_back: false,
    pictured: false,
  })),
})
const extracted = (call_id: string, more = {}): MemoryEvent => ({
  type: 'extracted',
  extract: {
    task: 'task-123',
    turn: 5,
    call_id,
    tool: 'grep',
    bullets: ['a', 'b', 'c'],
    ref: null,
    ...more,
  },
  tokens: 20,
})
const summarized = (from: number, to: number, context_percent = 61): MemoryEvent => ({
  type: 'summarized',
  summary: {
    id: `s${from}`,
    turns: { from, to },
    text: 'What was thought.',
    tokens: 120,
    saved_tokens: 3000,
    context_percent,
  },
})
const breadcrumb = (task_complete = true): MemoryEvent => ({
  type: 'breadcrumb_left',
  breadcrumb: { did: 'This.', outputs: [], next: 'That.', task_complete },
})
const paths = () => log.records('extract').map(({ key }) => key)
const advice = () => adviceFor(log.state()).rule

describe('extracts', () => {
  it('an extract is stored under the path of the seed, numbered for parallel calls of a turn', () => {
    for (const call of ['c1', 'c2', 'c3']) log.apply(extracted(call), at(1))
    expect(paths()).toEqual([
      'extracts/task-123-turn-5.md',
      'extracts/task-123-turn-5-2.md',
      'extracts/task-123-turn-5-3.md',
    ])
  })

  it('an extract is replaced only by another one of the same call', () => {
    log.apply(extracted('c1'), at(1))
    log.apply(extracted('c2'), at(1))
    log.apply(extracted('c1', { bullets: ['x', 'y', 'z'] }), at(2))
    expect(paths()).toHaveLength(2)
    const [first, second] = log.records('extract')
    expect(first?.body).toMatchObject({ call_id: 'c1', bullets: ['x', 'y', 'z'], at: at(2) })
    expect(second?.body).toMatchObject({ call_id: 'c2', bullets: ['a', 'b', 'c'] })
  })

  it('an output with an extract is no longer due for one, also when the transcript is seen again', () => {
    const due = ['c1', 'c2'].map((call_id) => ({ call_id, tool: 'grep', turn: 5, bytes: 9000 }))
    log.apply(report(10, null, { look: lookOf(due) }), at(1))
    expect(log.state().context.extracts_due).toEqual(due)
    log.apply(extracted('c1'), at(2))
    expect(log.state().context.extracts_due).toEqual(due.slice(1))
    log.apply(report(10, null, { look: lookOf(due) }), at(3))
    expect(log.state().context.extracts_due).toEqual(due.slice(1))
  })

  it('outputs without an extract are listed as due, however many larger ones have one', () => {
    const due = Array.from({ length: 60 }, (_, n) => ({
      call_id: `c${n}`,
      tool: 'grep',
      turn: 5,
      bytes: 9000 - n,
    }))
    for (const { call_id } of due.slice(0, 50)) log.apply(extracted(call_id), at(1))
    log.apply(report(10, null, { look: lookOf(due) }), at(2))
    expect(log.state().context.extracts_due).toEqual(due.slice(50))
  })
})

describe('summaries', () => {
  it('a summary is logged in the form of the seed, and the percentage after it becomes the reading', () => {
    log.apply(report(66, 40), at(1))
    const change = log.apply(summarized(1, 4, 61.257), at(2))
    const line = `[${at(2)}] summarized turns 1-4, saved 3000 tokens, new context %: 61.26`
    const [entry] = log.records('summary')
    expect(entry?.body).toMatchObject({ line, percent: 61.26, turns: { from: 1, to: 4 } })
    expect(change.outbox[0]).toMatchObject({ table: 'summaries', line, turn_from: 1, turn_to: 4 })
    expect(log.state().context.reading).toMatchObject({ percent: 61.26, method: 'host', at: at(2) })
    expect(log.records('sample').at(-1)).toMatchObject({ body: { cause: 'summary' } })
  })

  it('a range that overlaps a summarized one is refused, so the first of two writers wins', () => {
    log.apply(report(66, 40), at(1))
    log.apply(summarized(4, 8), at(2))
    for (const [from, to] of [
      [4, 8],
      [2, 4],
      [8, 11],
      [5, 7],
    ] as const)
      expect(log.tryApply(summarized(from, to), at(3))).toMatchObject({
        ok: false,
        error: { code: 'resummarization_refused' },
      })
    expect(log.records('summary')).toHaveLength(1)
    expect(log.tryApply(summarized(9, 11), at(4)).ok).toBe(true)
  })

  it('a summary of recent turns is refused', () => {
    expect(log.tryApply(summarized(1, 4), at(1))).toMatchObject({
      error: { code: 'range_not_eligible' },
    })
    log.apply(report(66, 14), at(2))
    expect(log.tryApply(summarized(2, 5), at(3))).toMatchObject({
      error: { code: 'range_not_eligible' },
    })
    expect(log.tryApply(summarized(1, 4), at(3)).ok).toBe(true)
  })

  it('other ranges may be summarized in the same round, and no second round follows', () => {
    const masked = { type: 'masked', ...MASKED } as const
    log.apply({ ...masked, seen: { ...masked.seen, turns: 40 } }, at(1))
    log.apply(report(68, 40), at(2))
    expect(advice()).toBe('condense')
    log.apply(summarized(1, 5, 67), at(3))
    expect(adviceFor(log.state())).toMatchObject({
      rule: 'condense',
      ranges: [{ from: 6, to: 10 }, {}, {}, {}, {}],
    })
    log.apply(summarized(6, 10, 66), at(4))
    expect(advice()).toBe('condense')
    log.apply(report(66, 41), at(5))
    expect(adviceFor(log.state())).toMatchObject({ rule: 'condensed', action: 'delegate' })
    log.apply({ type: 'configured', settings: { one_off: true } }, at(6))
    expect(adviceFor(log.state())).toMatchObject({ rule: 'condensed', action: 'switch' })
  })
})

const MASKED = {
  id: 'run',
  items: [],
  masks: [
    {
      call_id: 'c',
      tool: 'grep',
      ref: null,
      digest: null,
      form: 'text',
      is_error: false,
      occurrence: 0,
      placeholder: '[masked: grep result]',
      bytes: 200,
      characters: 200,
      tokens: 60,
      saved_tokens: 50,
    },
  ],
  counted: { before: 100, after: 50 },
  call: { fingerprint: 'run', turn: 1, raw: 100, masked: 50, bound: 50, unchanged: 10 },
  maskable_tokens: null,
  prices: { input: 1, cache_read: 0.1, cache_write: 1.25 },
  unfinished: false,
  answer: { names: '', masked: [], gone: {} },
  named: { window_tokens: 1_000 },
  seen: { turns: 1, maskable: 0, extracts_due: [] },
} as const

describe('breadcrumbs', () => {
  it('breadcrumbs are numbered within their UTC day', () => {
    log.apply(breadcrumb(), at(1))
    log.apply(breadcrumb(), at(2))
    log.apply(breadcrumb(), '2026-12-01T00:00:00.000Z')
    expect(log.records('breadcrumb').map(({ key }) => key)).toEqual([
      '2026-11-30/1',
      '2026-11-30/2',
      '2026-12-01/1',
    ])
    expect(log.records('day').map(({ key, body }) => [key, body])).toEqual([
      ['2026-11-30', { breadcrumbs: 2 }],
      ['2026-12-01', { breadcrumbs: 1 }],
    ])
  })

  it('a breadcrumb leads to the advice to switch until a fresh context begins', () => {
    log.apply(report(40, 30), at(1))
    expect(advice()).toBe('fine')
    log.apply(breadcrumb(false), at(2))
    expect(adviceFor(log.state())).toMatchObject({ action: 'switch', rule: 'task_done' })
    log.apply(report(41, 31), at(3))
    expect(advice()).toBe('task_done')
    log.apply(report(3, 1), at(4))
    expect(advice()).toBe('fine')
    expect(log.state().context).toMatchObject({ number: 2, breadcrumb: false })
  })
})

describe('a fresh context', () => {
  it('a fresh context begins when a report or a platform says so, or when the context falls by half', () => {
    log.apply(report(50, null, { task_complete: true }), at(1))
    log.apply(report(26), at(2))
    expect(advice()).toBe('task_done')
    log.apply(report(12), at(3))
    expect(log.state().context.number).toBe(2)
    log.apply(report(13, null, { cause: 'switch' }), at(4))
    expect(log.state().context.number).toBe(3)
    log.apply({ type: 'context_started' }, at(5))
    expect(log.state().context.number).toBe(4)
    expect(log.state().context.reading).toBeNull()
  })

  it('a fresh context may be condensed again, and its turns are counted anew', () => {
    log.apply(report(72, 40), at(1))
    log.apply(summarized(1, 5), at(2))
    log.apply(report(72, 40), at(3))
    expect(advice()).toBe('condensed')
    log.apply(report(72, 30, { cause: 'switch' }), at(4))
    expect(advice()).toBe('condense')
    expect(log.tryApply(summarized(1, 5), at(5)).ok).toBe(true)
  })

  /** Turns 1 to 5 of 40 are summarized, and a checkpoint advises to switch. */
  const condensed = () => {
    log.apply(report(90, 40), at(1))
    log.apply(summarized(1, 5, 88), at(2))
    log.apply(breadcrumb(false), at(3))
  }
  const masking = (n: number, window = {}): MissionEvent => ({
    type: 'masked',
    ...MASKED,
    id: `run ${n}`,
    items: [
      {
        pointer: '/1',
        call_id: 'c',
        tool: 'grep',
        turn: 1,
        decision: 'masked',
        ref: null,
        bytes: 9,
        tokens: 9,
        saved_tokens: 9,
      },
    ],
    seen: { turns: 40, maskable: 0, extracts_due: [] },
    named: window,
  })

  it.each([
    ['as many turns, although the report says so', [report(72, 41, { cause: 'switch' })]],
    ['the turns that the summary left', [report(70, 36), report(70, 36, { cause: 'switch' })]],
    ['a lower percentage alone', [report(40)]],
    [
      'a hardly lower percentage and no turns, although the report says so',
      [report(60, null, { cause: 'switch' })],
    ],
    [
      'a lower percentage after a mask, although the report says so',
      [masking(1), report(30, null, { cause: 'switch' })],
    ],
  ])('no fresh context begins with %s', (_, events) => {
    condensed()
    for (const event of events) log.apply(event, at(4))
    log.apply(report(70, 42), at(5))
    expect(log.state().context.number).toBe(1)
    expect(log.tryApply(summarized(1, 5), at(6))).toMatchObject({
      error: { code: 'resummarization_refused' },
    })
  })

  it.each([
    ['fewer turns', [report(9, 2)]],
    ['fewer turns than the summary left', [report(70, 36), report(70, 3)]],
    ['a lower percentage, where the report says so', [report(40, null, { cause: 'switch' })]],
  ])('a fresh context begins with %s', (_, events) => {
    condensed()
    for (const event of events) log.apply(event, at(4))
    expect(log.state().context).toMatchObject({ number: 2, summarised: [], breadcrumb: false })
  })

  it('a lower percentage after a mask begins no fresh context where nothing was summarized either', () => {
    log.apply(report(90), at(1))
    log.apply(breadcrumb(false), at(2))
    log.apply(masking(1), at(3))
    log.apply(report(40), at(4))
    expect(log.state().context.number).toBe(1)
    log.apply(report(15), at(5))
    expect(log.state().context.number).toBe(2)
  })

  it('a mission counts the completed tasks and those that left a breadcrumb', () => {
    log.apply(report(50, 20, { task_complete: true }), at(1))
    log.apply(report(3, 1, { cause: 'switch' }), at(2))
    log.apply(breadcrumb(true), at(3))
    log.apply(report(3, 1, { cause: 'switch' }), at(4))
    log.apply(report(3, 1, { cause: 'switch' }), at(5))
    expect(log.state().contexts).toMatchObject({ completed: 2, with_breadcrumb: 1 })
  })
})

describe('time', () => {
  it('the times in the log of a mission never run backwards', () => {
    log.apply(report(66, 40), at(9))
    log.apply(summarized(1, 4), at(3))
    log.apply(summarized(5, 8), at(5))
    const lines = log.records('summary').map(({ body }) => body.line)
    expect(lines.map((line) => line.slice(1, 25))).toEqual([at(9), at(9)])
  })
})
