import { describe, expect, it } from 'vitest'
import type { Ref } from '../../../src/domain/digest.ts'
import type { ObservedCall, ObservedEvent } from '../../../src/domain/masking/observe.ts'
import type { Find, StoredRecord } from '../../../src/domain/mission/record.ts'
import type { MissionSettings } from '../../../src/domain/mission/settings.ts'
import type { MissionState } from '../../../src/domain/mission/state.ts'
import { transition } from '../../../src/domain/mission/transition.ts'

const AT = '2026-11-30T16:00:00.000Z'
const REF = `memex://excerpt/${'a'.repeat(64)}` as Ref

/** A mission in memory that counts what its transitions read and write. */
function missionOf(settings: MissionSettings) {
  const rows = new Map<string, StoredRecord>()
  const work = { read: 0, written: 0 }
  let state: MissionState | null = null
  const find: Find = (kind, keys) => {
    const found = keys.flatMap((key) => rows.get(`${kind} ${key}`) ?? [])
    work.read += found.length
    return found
  }
  const apply = (event: Parameters<typeof transition>[1]['event']): void => {
    const change = transition(state, { tenant: 't', mission: 'm', at: AT, event }, find)
    if (!change.ok) throw new Error(change.error.code)
    work.written += change.value.records.length + change.value.outbox.length + 1
    state = change.value.state
    for (const record of change.value.records)
      rows.set(`${record.kind} ${record.key}`, { ...record, seq: rows.size })
  }
  apply({ type: 'configured', settings })
  return {
    work,
    apply,
    get state(): MissionState {
      if (state === null) throw new Error('not opened')
      return state
    },
    edits: (call_id: string, turn: number) => {
      const call = rows.get(`observed_call ${call_id}`)?.body as ObservedCall | undefined
      return call?.heard.find((one) => one.turn === turn)?.edits ?? []
    },
    masked: () => [...rows.values()].filter((row) => row.kind === 'masked').length,
  }
}

const observed = (turn: number, over: Partial<ObservedEvent['output']> = {}): ObservedEvent => ({
  type: 'observed',
  id: `run-${turn}`,
  output: {
    call_id: `call-${turn}`,
    turn,
    tool: 'bash',
    ref: REF,
    form: 'text',
    is_error: false,
    bytes: 4000,
    tokens: 1000,
    placeholder: '[Tool: bash. Output masked.]',
    saved_tokens: 943,
    ...over,
  },
  input_tokens: 10,
  usage: null,
})

describe('observations', () => {
  it('mask the oldest outputs down to the target once the trigger is reached', () => {
    const mission = missionOf({ window_tokens: 10_000 })
    for (let turn = 1; turn <= 6; turn++) mission.apply(observed(turn))
    expect(mission.state.meter.reading?.percent).toBeLessThan(70)
    expect(mission.masked()).toBe(0)
    mission.apply(observed(7))
    // 7,070 tokens of 10,000: 70.7 %, so two results leave to get below 60 %.
    expect(mission.edits('call-7', 7).map((edit) => edit.turn)).toEqual([1, 2])
    expect(mission.state.meter.reading?.percent).toBeLessThan(60)
    expect(mission.state.meter.after_masking).toBe(true)
  })

  it('leave the last `keep` outputs, excluded tools, retained calls and small outputs alone', () => {
    const policy: MissionSettings['policy'] = {
      trigger: { type: 'always' },
      keep: 2,
      min_bytes: 100,
      exclude_tools: ['plan'],
    }
    const mission = missionOf({ window_tokens: 100_000, policy })
    mission.apply({ type: 'retained', turn: 2, call_id: 'call-2', decision: 'keep' })
    mission.apply(observed(1, { tool: 'plan' }))
    mission.apply(observed(2))
    mission.apply(observed(3, { bytes: 99 }))
    for (let turn = 4; turn <= 7; turn++) mission.apply(observed(turn))
    const turns = [4, 5, 6, 7].flatMap((turn) =>
      mission.edits(`call-${turn}`, turn).map((edit) => edit.turn),
    )
    expect(turns).toEqual([4, 5])
  })

  it('never mask an output of the current turn, even with keep 0', () => {
    const mission = missionOf({
      window_tokens: 100_000,
      policy: { trigger: { type: 'always' }, keep: 0 },
    })
    mission.apply(observed(1))
    mission.apply(observed(1, { call_id: 'parallel' }))
    expect(mission.masked()).toBe(0)
    mission.apply(observed(2))
    expect(mission.edits('call-2', 2).map((edit) => edit.call_id)).toEqual(['call-1', 'parallel'])
  })

  it('hear the same answer again, and change nothing', () => {
    const mission = missionOf({ window_tokens: 100_000, policy: { trigger: { type: 'always' } } })
    for (let turn = 1; turn <= 5; turn++) mission.apply(observed(turn))
    const before = mission.state
    const edits = mission.edits('call-5', 5)
    expect(edits.length).toBeGreaterThan(0)
    mission.apply(observed(5))
    expect(mission.state).toBe(before)
    expect(mission.edits('call-5', 5)).toEqual(edits)
  })

  it('mask by break-even once the rent of what stays reaches its share of the rewrite', () => {
    const policy = { trigger: { type: 'break_even' } } as const
    const mission = missionOf({ window_tokens: 1_000_000, policy })
    const maskedAt: number[] = []
    for (let turn = 1; turn <= 60; turn++) {
      mission.apply(observed(turn))
      if (mission.edits(`call-${turn}`, turn).length > 0) maskedAt.push(turn)
    }
    expect(maskedAt.length).toBeGreaterThan(3)
    expect(maskedAt.length).toBeLessThan(56)
  })

  it('read the meter from what the provider says of the call', () => {
    const mission = missionOf({ window_tokens: 200_000 })
    mission.apply({
      ...observed(1),
      usage: {
        prompt_tokens: 100_000,
        cache_read_tokens: 0,
        cache_write_tokens: 0,
        output_tokens: 500,
      },
    })
    expect(mission.state.meter.reading?.percent).toBeGreaterThan(50)
    expect(mission.state.meter.reading?.percent).toBeLessThan(51.5)
  })

  it.each(['always', 'percent', 'break_even'] as const)(
    'cost the same work on turn 2,000 as on turn 20 with trigger %s',
    (type) => {
      const trigger = type === 'percent' ? { type, value: 70 } : { type }
      const mission = missionOf({ window_tokens: 20_000, policy: { trigger } })
      const workOf = (from: number, to: number): number => {
        const before = mission.work.read + mission.work.written
        for (let turn = from; turn <= to; turn++) mission.apply(observed(turn))
        return mission.work.read + mission.work.written - before
      }
      workOf(1, 100)
      const early = workOf(101, 200)
      workOf(201, 1900)
      expect(workOf(1901, 2000)).toBeLessThanOrEqual(early * 1.05)
      expect(JSON.stringify(mission.state).length).toBeLessThan(6000)
    },
  )
})
