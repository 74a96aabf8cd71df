import type { Subscription } from '../../src/domain/hooks/endpoint.ts'
import type { MissionEvent, Occurrence } from '../../src/domain/ledger/event.ts'
import type { MissionRecord, MissionRecords, RecordKind } from '../../src/domain/ledger/records.ts'
import type { MissionState } from '../../src/domain/ledger/state.ts'
import { transition } from '../../src/domain/ledger/transition.ts'
import type { Change } from '../../src/domain/ledger/transition.ts'
import type { LiveEvent } from '../../src/domain/mission/live-event.ts'
import { isOf } from '../../src/domain/mission/record.ts'
import type { Find } from '../../src/domain/mission/record.ts'

/** One mission moved by the real transition, with its records in memory. */
export function missionLog(subscriptions: readonly Subscription[] = []) {
  const records: MissionRecord[] = []
  let state: MissionState | null = null
  const ofKind = <Kind extends RecordKind>(kind: Kind): readonly MissionRecord<Kind>[] =>
    records.filter((record) => isOf(kind, record))
  const find: Find<MissionRecords> = (kind, keys) =>
    ofKind(kind).filter(({ key }) => keys.includes(key))

  const tryApply = (event: MissionEvent, at: string, rest: Partial<Occurrence> = {}) => {
    const occurrence = { tenant: 'acme', mission: 'm.1', at, event, ...rest }
    const change = transition(state, occurrence, find, subscriptions)
    if (!change.ok) return change
    state = change.value.state
    for (const record of change.value.records) {
      const known = records.findIndex((r) => r.kind === record.kind && r.key === record.key)
      if (known === -1) records.push({ ...record, seq: records.length + 1 })
      else records[known] = { ...record, seq: records[known]?.seq ?? 0 }
    }
    return change
  }

  return {
    find,
    tryApply,
    apply: (event: MissionEvent, at: string, rest: Partial<Occurrence> = {}): Change => {
      const change = tryApply(event, at, rest)
      if (!change.ok) throw new Error(change.error.code)
      return change.value
    },
    state: (): MissionState => {
      if (state === null) throw new Error('nothing happened to the mission yet')
      return state
    },
    records: ofKind,
    told: (): readonly LiveEvent[] => ofKind('event').map(({ body }) => body),
  }
}

/** Every order of a list. */
export function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length <= 1) return yield items
  for (const [index, first] of items.entries())
    for (const rest of permutations(items.toSpliced(index, 1))) yield [first, ...rest]
}

/** 2026-11-30 12:00:00 UTC and some seconds. */
export const at = (seconds: number): string =>
  new Date(Date.UTC(2026, 10, 30, 12) + seconds * 1000).toISOString()
