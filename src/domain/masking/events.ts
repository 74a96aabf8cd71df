import type { MaskingItem } from '../log/row.ts'
import { maskingLine } from '../log/line.ts'
import { reanchor } from '../meter/calibration.ts'
import { sampleRecord, scaleOf, withNamed } from '../meter/events.ts'
import type { MeterState, Named, Seen } from '../meter/events.ts'
import { readMeter } from '../meter/meter.ts'
import type { Find, RecordWrite } from '../mission/record.ts'
import type { MissionState } from '../mission/state.ts'
import type { Step } from '../mission/step.ts'
import { contextOf } from './anchor.ts'
import { retentionKey } from './keeps.ts'
import { policyOf } from './mission-policy.ts'
import { addSession } from './session-cost.ts'
import type { SessionCall } from './session-cost.ts'
import type { Regret } from './state.ts'
import { maskKey } from '../transcript/recognise.ts'
import type { MaskRecord } from '../transcript/recognise.ts'

/** One masking run, as it was logged. */
export interface MaskingEntry {
  readonly id: string
  readonly at: string
  readonly line: string
  readonly masked: number
  readonly percent: number | null
  readonly items: readonly MaskingItem[]
}

export type MaskingEvent =
  | {
      readonly type: 'masked'
      readonly id: string
      readonly items: readonly MaskingItem[]
      readonly masks: readonly MaskRecord[]
      /** Our count of the request before and after. */
      readonly counted: { readonly before: number; readonly after: number }
      /** What the host's own percentage made of `before`, where it is newer than any count. */
      readonly anchor: number | null
      readonly regret: Regret | null
      readonly call: SessionCall
      readonly named: Named
      readonly seen: Seen
    }
  | { readonly type: 'pinned'; readonly keys: readonly string[] }
  | {
      readonly type: 'retained'
      readonly turn: number
      readonly call_id: string
      readonly decision: 'mask' | 'keep'
    }

const MAX_PINNED = 10_000
const MAX_PINNED_CHARS = 300_000

/** A masking run becomes a reading, a sample, its log entry, and what tells its placeholders later. */
export function reduceMasking(
  before: MissionState,
  event: MaskingEvent,
  at: string,
  find: Find,
): Step {
  if (event.type === 'pinned') return pinned(before, event.keys)
  if (event.type === 'retained') return retained(before, event, at)
  const { named, seen } = event
  const state = contextOf(before, { counted: event.counted.before, turns: seen.turns, named })
  const settings = withNamed(state.settings, named)
  const meter = meterAfter(state, event, at)
  const { reading } = meter
  const session = addSession(state.masking.session, event.call, policyOf(settings).prices, at)
  const masking = {
    ...state.masking,
    regret: event.regret ?? state.masking.regret,
    session: session.state,
  }
  const next = { ...state, settings, meter, masking }
  const records: RecordWrite[] = [...session.records]
  if (reading !== null) records.push(sampleRecord(reading, 'mask', at, state.version + 1))
  if (event.items.length === 0) return { state: next, records }
  const entry = maskingEntry(event, at, reading?.percent ?? null)
  records.push({ kind: 'masking', key: event.id, at, body: entry })
  records.push(...maskRecords(event.masks, at, find))
  const { tenant, mission } = state
  return { state: next, records, outbox: [{ table: 'masking', tenant, mission, ...entry }] }
}

/** The log entry of a run; it is the answer where no object keeps it. */
export function maskingEntry(
  run: { readonly id: string; readonly items: readonly MaskingItem[] },
  at: string,
  percent: number | null,
): MaskingEntry {
  const masked = run.items.filter((item) => item.decision === 'masked').length
  const line = maskingLine(at, masked, percent)
  // SQLite would turn half a surrogate pair into three other characters: log and copy stay equal.
  const items = run.items.map((item) => ({
    ...item,
    pointer: item.pointer.toWellFormed(),
    call_id: item.call_id.toWellFormed(),
  }))
  return { id: run.id, at, line, masked, percent, items }
}

function meterAfter(
  state: MissionState,
  event: MaskingEvent & { type: 'masked' },
  at: string,
): MeterState {
  const { counted, anchor } = event
  const calibration =
    anchor === null
      ? state.meter.calibration
      : reanchor(state.meter.calibration, { counted: counted.before, actual: anchor })
  const scale = { ...scaleOf(withNamed(state.settings, event.named), event.named), calibration }
  const reading = readMeter({ counted: counted.after }, scale)
  return {
    ...state.meter,
    ...event.seen,
    calibration,
    reading: reading.ok ? { ...reading.value, at } : state.meter.reading,
    after_masking: state.meter.after_masking || event.masks.length > 0,
  }
}

/** One record a (call, tool, ref), with every occurrence that was masked under it. */
export function maskRecords(masks: readonly MaskRecord[], at: string, find: Find): RecordWrite[] {
  const grouped = new Map<string, MaskRecord[]>()
  for (const mask of masks) {
    const key = maskKey(mask)
    grouped.set(key, [...(grouped.get(key) ?? []), mask])
  }
  for (const stored of find('masked', [...grouped.keys()])) {
    const fresh = grouped.get(stored.key) ?? []
    const occurrences = new Set(fresh.map((mask) => mask.occurrence))
    const known = stored.body as readonly MaskRecord[]
    grouped.set(stored.key, [
      ...known.filter((mask) => !occurrences.has(mask.occurrence)),
      ...fresh,
    ])
  }
  return [...grouped].map(([key, body]) => ({ kind: 'masked', key, at, body }))
}

/** A binary decision per tool call; the last one counts. */
function retained(
  state: MissionState,
  { turn, call_id, decision }: MaskingEvent & { type: 'retained' },
  at: string,
): Step {
  const key = retentionKey(turn, call_id)
  const others = state.masking.retained.filter((one) => one !== key)
  const kept = decision === 'keep' ? newest([...others, key]) : others
  const body = { turn, call_id, decision, at }
  return {
    state: { ...state, masking: { ...state.masking, retained: kept } },
    records: [{ kind: 'retention', key, at, body }],
  }
}

/** The latest keys, as many as the mission's one row can hold. */
function newest(keys: readonly string[]): readonly string[] {
  let from = keys.length
  for (let chars = 0; from > 0 && keys.length - from < MAX_PINNED; from--) {
    chars += JSON.stringify(keys[from - 1]).length
    if (chars > MAX_PINNED_CHARS) break
  }
  return keys.slice(from)
}

function pinned(state: MissionState, keys: readonly string[]): Step {
  const all = [...new Set([...state.masking.pinned, ...keys])]
  return { state: { ...state, masking: { ...state.masking, pinned: newest(all) } } }
}
