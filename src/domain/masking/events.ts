import type { MaskingRecords } from './records.ts'
import type { MaskRecord } from './mask-record.ts'
import type { Lift } from './mask-records.ts'
import type { Prices } from '../mission/prices.ts'
import { CURRENT, answeredIn } from '../context/conversation.ts'
import type { CallsState } from '../context/calls.ts'
import { namesIn, answeredOf, align } from '../context/answered.ts'
import { liftMasks, recordMasks } from './mask-records.ts'
import { sumsBefore, repeats } from '../context/calls.ts'
import type { HasContext, ContextState } from '../context/context-state.ts'
import type { Core } from '../mission/core.ts'
import { maskingEntry } from './masking-entry.ts'
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
import { contextOf, unexplained } from './anchor.ts'
import { keeps, retentionKey } from './retention.ts'
import { heardKey } from './observation/heard.ts'
import { observedReader, observedRecord, reopened, restored } from './observation/observed.ts'
import type { ObservedState } from '../context/observed-state.ts'
import type { ObservationRecords } from './observation/records.ts'
import { policyOf } from './policy.ts'
import { addSession } from './session-cost.ts'
import type { SessionCall } from './session-cost.ts'
import type { HasMasking } from './masking-state.ts'

/** A transcript was masked, or looked at and left as it was. */
export interface Masked {
  readonly type: 'masked'
  readonly id: string
  readonly items: readonly MaskingItem[]
  /** What is masked for the first time, in transcript order. */
  readonly masks: readonly MaskRecord[]
  /** Our count of the request as it came to be sent before this call, and as it is sent now. */
  readonly counted: { readonly before: number; readonly after: number }
  readonly call: SessionCall
  /** What could still be masked costs so many tokens by staying; null where break-even was not asked. */
  readonly maskable_tokens: number | null
  readonly prices: Prices
  /** More is to be masked than one call may store. */
  readonly unfinished: boolean
  /** For each tool result: its name, and whether it is sent masked. */
  readonly answer: { readonly names: string; readonly masked: readonly boolean[] }
  readonly named: Named
  readonly seen: Seen
}

export type MaskingEvent =
  | Masked
  | {
      readonly type: 'unmasked'
      /** Results that stand in the context again: their masks are lifted. */
      readonly restored: readonly { readonly call_id: string; readonly turn: number }[]
      readonly lifts: readonly Lift[]
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
  return masked(before, event, at, find)
}

function masked<S extends Core & HasContext & HasMasking>(
  before: S,
  event: Masked,
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const { call, named, seen } = event
  const state = contextOf(before, { counted: event.counted.before, turns: seen.turns, named })
  const settings = withNamed(state.settings, named)
  const totals = state.masking.cost
  const session = addSession(
    { calls: state.context.calls, totals },
    call,
    regretAfter(state.context.calls, event),
    event.prices,
    at,
  )
  const calls = { ...session.calls, unfinished: event.unfinished }
  const context = { ...contextAfter(state, event, at), calls }
  const { reading } = context
  const masking = { ...state.masking, cost: session.totals }
  const next = { ...state, settings, context, masking }
  const records: RecordWrite<Records>[] = [...session.records, answerRecord(event, at, find)]
  if (reading !== null) records.push(sampleRecord(reading, 'mask', at, state.version + 1))
  if (event.items.length === 0) return { state: next, records }
  const entry = maskingEntry(event, at, reading?.percent ?? null)
  records.push({ kind: 'masking', key: event.id, at, body: entry })
  records.push(...recordMasks(event.masks, at, find))
  const { tenant, mission } = state
  return { state: next, records, outbox: [{ table: 'masking', tenant, mission, ...entry }] }
}

/**
 * The regret that a mask leaves. Only a mask pays it off; where the last state's own mask comes back
 * with nothing left to mask, what it left stands.
 */
function regretAfter(
  calls: CallsState,
  { call, maskable_tokens, masks, prices, unfinished }: Masked,
): number {
  const { regret } = sumsBefore(calls, call.fingerprint)
  if (maskable_tokens === null) return regret
  if (masks.length > 0 && !unfinished) return 0
  const settled = repeats(calls, call.fingerprint) === 'last' && maskable_tokens === 0
  return settled ? calls.after.regret : regret + prices.cache_read * maskable_tokens
}

function answerRecord(
  { answer }: Masked,
  at: string,
  find: Find<Records>,
): RecordWrite<ContextRecords> {
  const names = namesIn(answer.names)
  const { gone } = align(answeredIn(find, CURRENT), names)
  return { kind: 'answered', key: CURRENT, at, body: answeredOf(names, answer.masked, gone) }
}

function contextAfter(state: Core & HasContext, event: Masked, at: string): ContextState {
  const { counted } = event
  const { window_tokens } = scaleOf(withNamed(state.settings, event.named), event.named)
  const anchor = unexplained(state.context, counted.before, window_tokens)
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

/** What was told of one by one counts again, masks are lifted, and what is pinned stays. */
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
  const { lifted, records: lifts } = liftMasks(event.lifts, at, find)
  const records: RecordWrite<Records>[] = [...lifts]
  let { observed } = state.context
  for (const { body } of find('heard', heardKeys(event, lifted, find))) {
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

/** The observed outputs that an unmask restores: by their turns, else the last one of a call. */
function heardKeys(
  { restored: named }: MaskingEvent & { type: 'unmasked' },
  lifted: readonly MaskRecord[],
  find: Find<Records>,
): readonly string[] {
  const turns = new Set(named.map(({ call_id }) => call_id))
  const others = lifted.map(({ call_id }) => call_id).filter((call_id) => !turns.has(call_id))
  const last = find('observed_call', others).map(({ body, key }) => heardKey(key, body.turn))
  return [...new Set([...named.map(({ call_id, turn }) => heardKey(call_id, turn)), ...last])]
}
