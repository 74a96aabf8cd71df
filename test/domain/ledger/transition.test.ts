import { describe, expect, test } from 'vitest'
import type { MissionEvent } from '../../../src/domain/ledger/event.ts'
import type { MissionState } from '../../../src/domain/ledger/state.ts'
import { transition } from '../../../src/domain/ledger/transition.ts'
import type { Change } from '../../../src/domain/ledger/transition.ts'
import { missionSettings } from '../../../src/domain/mission/settings.ts'
import type { Result } from '../../../src/domain/result.ts'

const at = '2026-11-30T12:00:00.000Z'

const after = (stored: MissionState | null, event: MissionEvent, when = at) =>
  transition(stored, { tenant: 'acme', mission: 'm', at: when, event }, () => [])

function changed(result: Result<Change, unknown>): Change {
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

const opened = (settings = {}): MissionState =>
  changed(after(null, { type: 'configured', settings })).state

describe('opening and changing a mission', () => {
  test('the first event opens it, whichever it is', () => {
    for (const event of [
      { type: 'excerpt_stored' },
      { type: 'unmasked', restored: [], lifts: [], pinned: ['c1'] },
      { type: 'configured', settings: {} },
    ] as const) {
      const { state, outbox } = changed(after(null, event))
      expect(state).toMatchObject({ version: 1, status: 'active', phase: 'assess', created_at: at })
      expect(outbox).toMatchObject([{ table: 'missions', version: 1 }])
    }
  })

  test('a setting that is absent stays as it was', () => {
    const first = opened({ objective: 'Find it.', window_tokens: 1000 })
    const { state } = changed(after(first, { type: 'configured', settings: { one_off: true } }))
    expect(state.settings).toEqual({ objective: 'Find it.', window_tokens: 1000, one_off: true })
    expect(state.version).toBe(2)
  })

  test('what changes nothing has no version and no row', () => {
    const first = opened()
    const change = changed(after(first, { type: 'excerpt_stored' }))
    expect(change.state).toBe(first)
    expect(change.outbox).toEqual([])
  })

  test('a model without a window is refused, and opens nothing', () => {
    expect(after(null, { type: 'configured', settings: { model: 'hal-9000' } })).toEqual({
      ok: false,
      error: {
        code: 'window_unknown',
        errors: [{ pointer: '/model', detail: 'is not in the table' }],
      },
    })
  })

  test('a model without a window is taken where the mission has a window of its own', () => {
    const settings = { model: 'hal-9000' }
    const before = opened({ window_tokens: 9000 })
    expect(changed(after(before, { type: 'configured', settings })).state.settings).toMatchObject({
      model: 'hal-9000',
      window_tokens: 9000,
    })
    expect(opened({ model: 'hal-9000', window_tokens: 9000 }).version).toBe(1)
  })
})

describe('the life of a mission', () => {
  test('a TTL counts from its creation, however often it is changed', () => {
    const first = opened({ ttl_days: 2 })
    const later = '2026-12-01T00:00:00.000Z'
    const { due } = changed(after(first, { type: 'configured', settings: {} }, later))
    expect(due.ttl).toBe(Date.parse('2026-12-02T12:00:00.000Z'))
  })

  test('erasing leaves its name and nothing that it said', () => {
    const first = opened({ objective: 'Secret plan.', model: 'gpt-4o', ttl_days: 2 })
    const pinned = changed(
      after(first, { type: 'unmasked', restored: [], lifts: [], pinned: ['call_secret'] }),
    ).state
    const { state, outbox, due } = changed(after(pinned, { type: 'erased' }))
    expect(state).toMatchObject({ tenant: 'acme', mission: 'm', status: 'erased', version: 3 })
    expect(JSON.stringify(state)).not.toMatch(/ecret|gpt/)
    expect(outbox).toEqual([])
    expect(due).toEqual({ erase: Date.parse(at), ttl: null })
  })

  test('erasing again changes nothing, and is due again', () => {
    const { state } = changed(after(opened(), { type: 'erased' }))
    const later = '2026-12-01T00:00:00.000Z'
    const change = changed(after(state, { type: 'erased' }, later))
    expect(change).toMatchObject({ records: [], outbox: [], due: { erase: Date.parse(later) } })
    expect(change.state).toBe(state)
  })

  test('an erased mission refuses every other event', () => {
    const { state } = changed(after(opened(), { type: 'erased' }))
    for (const event of [{ type: 'configured', settings: {} }, { type: 'excerpt_stored' }] as const)
      expect(after(state, event)).toEqual({ ok: false, error: { code: 'mission_erased' } })
  })
})

describe('what a mission keeps in its one row', () => {
  test('the newest pins, however long their call ids are', () => {
    let state = opened()
    for (let round = 0; round < 5; round++) {
      const keys = Array.from({ length: 500 }, (_, n) => `${round}-${n}`.padEnd(1000, '\u0001'))
      state = changed(
        after(state, { type: 'unmasked', restored: [], lifts: [], pinned: keys }),
      ).state
    }
    const { pinned } = state.masking
    expect(JSON.stringify(state).length).toBeLessThan(400_000)
    expect(pinned.length).toBeGreaterThan(40)
    expect(pinned.at(-1)).toMatch(/^4-499/)
  })

  test('no policy that is longer than a few thousand names', () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `toolu_${n}`)
    const policy = (count: number) => ({ policy: { pinned: names(count) } })
    expect(missionSettings.safeParse(policy(5000)).success).toBe(true)
    const refused = missionSettings.safeParse(policy(10_000))
    expect(refused.error?.issues).toMatchObject([{ path: ['policy'] }])
  })
})
