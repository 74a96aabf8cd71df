import type { Answered } from '../context/answered.ts'
import { namesIn, answeredOf } from '../context/answered.ts'
import type { CallsState } from '../context/calls.ts'
import { sumsBefore, repeats } from '../context/calls.ts'
import type { HasContext, ContextState } from '../context/context-state.ts'
import { CURRENT } from '../context/conversation.ts'
import type { ContextRecords } from '../context/records.ts'
import type { Seen } from '../context/report/look.ts'
import { sampleRecord } from '../context/report/sample.ts'
import type { MaskingItem } from '../log/row.ts'
import { readMeter } from '../meter/meter.ts'
import { scaleOf, withNamed } from '../meter/scale.ts'
import type { Named } from '../meter/scale.ts'
import type { Core } from '../mission/core.ts'
import type { Prices } from '../mission/prices.ts'
import type { Find, RecordWrite } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import { anchoredCalibration, contextOf } from './anchor.ts'
import { recordMasks } from './mask-index.ts'
import { maskingEntry } from './masking-entry.ts'
import type { HasMasking } from './masking-state.ts'
import type { MaskRecord } from './masks/mask-record.ts'
import type { MaskingRecords } from './records.ts'
import { addSession } from './session-cost.ts'
import type { SessionCall } from './session-cost.ts'

type Records = ContextRecords & MaskingRecords

/** A transcript was masked, or looked at and left as it was. */
export interface Masked {
  readonly type: 'masked'
  readonly id: string
  readonly items: readonly MaskingItem[]
  /** What is masked or refused for the first time, in transcript order. */
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
  readonly answer: {
    readonly names: string
    readonly masked: readonly boolean[]
    readonly gone: Answered['gone']
  }
  readonly named: Named
  readonly seen: Seen
}

export function reduceMask<S extends Core & HasContext & HasMasking>(
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
  const records: RecordWrite<Records>[] = [...session.records, answerRecord(event, at)]
  if (reading !== null) records.push(sampleRecord(reading, 'mask', at, state.version + 1))
  if (event.items.length === 0) return { state: next, records }
  const entry = maskingEntry(event, at, reading?.percent ?? null)
  records.push({ kind: 'masking', key: event.id, at, body: entry })
  records.push(...recordMasks(event.masks, at, find))
  const { tenant, mission } = state
  return { state: next, records, outbox: [{ table: 'masking', tenant, mission, ...entry }] }
}

/**
 * The regret after a call. Only a mask pays it off; where the request that was masked last comes again
 * and has nothing left to mask, the regret stays as that mask left it.
 */
function regretAfter(
  calls: CallsState,
  { call, maskable_tokens, masks, prices, unfinished }: Masked,
): number {
  const { regret } = sumsBefore(calls, call.fingerprint)
  if (maskable_tokens === null) return regret
  if (masks.some(isNewMask) && !unfinished) return 0
  const settled = repeats(calls, call.fingerprint) === 'last' && maskable_tokens === 0
  return settled ? calls.after.regret : regret + prices.cache_read * maskable_tokens
}

const isNewMask = ({ refused }: MaskRecord): boolean => refused === undefined

const answerRecord = (
  { answer: { gone, masked, names } }: Masked,
  at: string,
): RecordWrite<ContextRecords> => ({
  kind: 'answered',
  key: CURRENT,
  at,
  body: answeredOf(namesIn(names), masked, gone),
})

function contextAfter(state: Core & HasContext, event: Masked, at: string): ContextState {
  const { counted } = event
  const scale = scaleOf(withNamed(state.settings, event.named), event.named)
  const calibration = anchoredCalibration(state.context, counted.before, scale.window_tokens)
  const reading = readMeter({ counted: counted.after }, { ...scale, calibration })
  return {
    ...state.context,
    ...event.seen,
    calibration,
    reading: reading.ok ? { ...reading.value, at } : state.context.reading,
    after_masking: state.context.after_masking || event.masks.some(isNewMask),
  }
}
