import type { HasContext, ContextState } from '../context/context-state.ts'
import type { Core } from '../mission/core.ts'
import { maskingEntry } from './masking-entry.ts'
import { recorded } from './mask-records.ts'
import type { MaskingItem } from '../log/row.ts'
import { reanchor } from '../meter/calibration.ts'
import type { ContextRecords } from '../context/records.ts'
import { sampleRecord } from '../context/sample.ts'
import { scaleOf, withNamed } from '../meter/scale.ts'
import type { Named } from '../meter/scale.ts'
import type { Seen } from '../context/look.ts'
import { readMeter } from '../meter/meter.ts'
import type { Find, RecordWrite } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import { contextOf } from './anchor.ts'
import { keeps, retentionKey } from './retention.ts'
import { heardKey } from './observation/heard.ts'
import { observedReader, observedRecord, reopened, restored } from './observation/observed.ts'
import type { ObservedState } from '../context/observed-state.ts'
import type { ObservationRecords } from './observation/records.ts'
import { policyOf } from './policy.ts'
import { addSession } from './session-cost.ts'
import type { SessionCall } from './session-cost.ts'
import type { Regret, HasMasking } from './masking-state.ts'
import type { MaskRecord } from './recognise.ts'
import type { MaskingRecords } from './records.ts'

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
      /** Tokens that stand before each of `masks`: what a prompt cache keeps when it changes. */
      readonly positions: readonly number[]
      readonly call: Omit<SessionCall, 'unchanged'>
      readonly named: Named
      readonly seen: Seen
    }
  | {
      readonly type: 'unmasked'
      /** Which results stand in the context again. */
      readonly restored: readonly { readonly call_id: string; readonly turn: number }[]
      /** The call ids and refs that stay there from now on. */
      readonly pinned: readonly string[]
    }
  | {
      readonly type: 'retained'
      readonly turn: number
      readonly call_id: string
      readonly decision: 'mask' | 'keep'
    }

type Records = ContextRecords & MaskingRecords & ObservationRecords

const MAX_PINNED = 10_000
const MAX_PINNED_CHARS = 300_000

/** A masking run becomes a reading, a sample, its log entry, and what tells its placeholders later. */
export function reduceMasking<S extends Core & HasContext & HasMasking>(
  before: S,
  event: MaskingEvent,
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  if (event.type === 'unmasked') return unmasked(before, event, at, find)
  if (event.type === 'retained') return retained(before, event, at, find)
  const { named, seen } = event
  const state = contextOf(before, { counted: event.counted.before, turns: seen.turns, named })
  const settings = withNamed(state.settings, named)
  const context = contextAfter(state, event, at)
  const { reading } = context
  const run = recorded(event.masks, at, find)
  // A caller who sends what was masked before finds the same prompt in the cache again.
  const unchanged = run.first === null ? null : (event.positions[run.first] ?? 0)
  const call = { ...event.call, unchanged }
  const session = addSession(state.masking.session, call, policyOf(settings).prices, at)
  const masking = {
    ...state.masking,
    regret: event.regret ?? state.masking.regret,
    session: session.state,
  }
  const next = { ...state, settings, context, masking }
  const records: RecordWrite<Records>[] = [...session.records]
  if (reading !== null) records.push(sampleRecord(reading, 'mask', at, state.version + 1))
  if (event.items.length === 0) return { state: next, records }
  const entry = maskingEntry(event, at, reading?.percent ?? null)
  records.push({ kind: 'masking', key: event.id, at, body: entry })
  records.push(...run.records)
  const { tenant, mission } = state
  return { state: next, records, outbox: [{ table: 'masking', tenant, mission, ...entry }] }
}

function contextAfter(
  state: Core & HasContext,
  event: MaskingEvent & { type: 'masked' },
  at: string,
): ContextState {
  const { counted, anchor } = event
  const calibration =
    anchor === null
      ? state.context.calibration
      : reanchor(state.context.calibration, { counted: counted.before, actual: anchor })
  const scale = { ...scaleOf(withNamed(state.settings, event.named), event.named), calibration }
  const reading = readMeter({ counted: counted.after }, scale)
  return {
    ...state.context,
    ...event.seen,
    calibration,
    reading: reading.ok ? { ...reading.value, at } : state.context.reading,
    after_masking: state.context.after_masking || event.masks.length > 0,
  }
}

/** A binary decision per tool call; the last one counts. */
function retained<S extends Core & HasContext & HasMasking>(
  state: S,
  { turn, call_id, decision }: MaskingEvent & { type: 'retained' },
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const key = retentionKey(turn, call_id)
  const others = state.masking.retained.filter((one) => one !== key)
  const masking = {
    ...state.masking,
    retained: decision === 'keep' ? newest([...others, key]) : others,
  }
  const released = others.length < state.masking.retained.length && decision === 'mask'
  const observed = released
    ? releasedFrom({ ...state, masking }, heardKey(call_id, turn), find)
    : state.context.observed
  const body = { turn, call_id, decision, at }
  return {
    state: { ...state, masking, context: { ...state.context, observed } },
    records: [{ kind: 'retention', key, at, body }],
  }
}

/** An observed output that was passed over for its decision's sake is looked at again. */
function releasedFrom(
  { context, masking, settings }: Core & HasContext & HasMasking,
  key: string,
  find: Find<Records>,
): ObservedState {
  const { observed } = context
  const [heard] = find('heard', [key])
  const ordinal = heard?.body.ordinal ?? observed.next
  if (ordinal >= observed.next) return observed
  const [one] = [...observedReader(find)(ordinal, ordinal + 1)]
  return one === undefined ? observed : reopened(observed, one, keeps(policyOf(settings), masking))
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

/** What was told of one by one counts again, and what is pinned stays. */
function unmasked<S extends Core & HasContext & HasMasking>(
  state: S,
  event: MaskingEvent & { type: 'unmasked' },
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const known = new Set(state.masking.pinned)
  const pinned = newest([...new Set([...known, ...event.pinned])])
  const masking = { ...state.masking, pinned }
  const kept = keeps(policyOf(state.settings), masking)
  const read = observedReader(find)
  const keys = event.restored.map(({ call_id, turn }) => heardKey(call_id, turn))
  const records: RecordWrite<Records>[] = []
  let { observed } = state.context
  for (const { body } of find('heard', keys)) {
    const { ordinal } = body
    for (const one of read(ordinal, ordinal + 1)) {
      if (!one.masked) continue
      observed = restored(observed, one, kept)
      records.push(observedRecord({ ...one, masked: false }, at))
    }
  }
  if (records.length === 0 && event.pinned.every((key) => known.has(key))) return { state }
  return { state: { ...state, masking, context: { ...state.context, observed } }, records }
}
