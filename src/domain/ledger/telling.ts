import type { HooksRecords } from '../hooks/records.ts'
import { liveEventId } from '../mission/live-event.ts'
import type { Telling } from '../mission/live-event.ts'
import type { RecordWrite } from '../mission/record.ts'
import type { MissionRecords } from './records.ts'
import { adviceFor } from './situation.ts'
import type { MissionState } from './state.ts'

/**
 * What a change of a mission has to tell, from the states before and after it and the records that
 * it writes: no area has to know who listens.
 */
export function tellings(
  before: MissionState,
  after: MissionState,
  records: readonly RecordWrite<MissionRecords>[],
): readonly Telling[] {
  return [
    ...records.flatMap((record) => ofRecord(record)),
    ...ofZone(before, after),
    ...ofPhase(before, after),
    ...ofAdvice(before, after),
  ]
}

/** The tellings as records of kind `event`, in their order, each with its id as key. */
export function eventRecords(
  state: MissionState,
  told: readonly Telling[],
  at: string,
): readonly RecordWrite<HooksRecords, 'event'>[] {
  return told.map(({ type, data }, index) => ({
    kind: 'event',
    key: liveEventId(state.version, index),
    at,
    body: { type, timestamp: at, data: { mission: state.mission, ...data } },
  }))
}

function ofRecord({ kind, key, body }: RecordWrite<MissionRecords>): readonly Telling[] {
  if (kind === 'sample') {
    const { percent, tokens, method, zone, cause } = body
    return [{ type: 'context.sampled', data: { percent, tokens, method, zone, cause } }]
  }
  if (kind === 'masking') {
    const { id, masked, percent, line } = body
    return [{ type: 'outputs.masked', data: { id, masked, percent, line } }]
  }
  if (kind === 'summary') {
    const { line } = body
    return [{ type: 'turns.summarized', data: { id: key, line } }]
  }
  return []
}

function ofZone(before: MissionState, after: MissionState): readonly Telling[] {
  const { reading } = after.context
  const from = before.context.reading?.zone ?? 'green'
  if (reading === null || reading.zone === from) return []
  return [{ type: 'zone.changed', data: { from, to: reading.zone, percent: reading.percent } }]
}

function ofPhase(before: MissionState, after: MissionState): readonly Telling[] {
  if (before.phase === after.phase) return []
  return [
    { type: 'phase.completed', data: { phase: before.phase } },
    { type: 'phase.started', data: { phase: after.phase } },
  ]
}

function ofAdvice(before: MissionState, after: MissionState): readonly Telling[] {
  const { action, rule, reason } = adviceFor(after)
  if (action !== 'switch' || adviceFor(before).action === 'switch') return []
  return [{ type: 'switch.advised', data: { rule, reason } }]
}
