import type { HasContext } from '../context/context-state.ts'
import type { ObservedState } from '../context/observed-state.ts'
import type { ContextRecords } from '../context/records.ts'
import type { Core } from '../mission/core.ts'
import type { Find, RecordWrite } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import { resultKey } from '../transcript/calls.ts'
import type { Lift } from './mask-index.ts'
import { liftMasks } from './mask-index.ts'
import type { HasMasking } from './masking-state.ts'
import type { MaskRecord } from './masks/mask-record.ts'
import { observedReader, observedRecord, reopened, restored } from './observation/observed.ts'
import type { ObservationRecords } from './observation/records.ts'
import { policyOf } from './policy.ts'
import type { MaskingRecords } from './records.ts'
import { reduceMask } from './reduce-mask.ts'
import type { Masked } from './reduce-mask.ts'
import { keeps } from './retention.ts'

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
  return reduceMask(before, event, at, find)
}

/** A binary decision per tool call; the last one counts. */
function retained<S extends Core & HasContext & HasMasking>(
  state: S,
  { turn, call_id, decision }: MaskingEvent & { type: 'retained' },
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const key = resultKey(turn, call_id)
  const others = state.masking.retained.filter((one) => one !== key)
  const masking = {
    ...state.masking,
    retained: decision === 'keep' ? newest([...others, key]) : others,
  }
  const released = others.length < state.masking.retained.length && decision === 'mask'
  const observed = released
    ? releasedFrom({ ...state, masking }, resultKey(turn, call_id), find)
    : state.context.observed
  const body = { turn, call_id, decision, at }
  return {
    state: { ...state, masking, context: { ...state.context, observed } },
    records: [{ kind: 'retention', key, at, body }],
  }
}

/** An observed output that was passed over because a decision kept it may be masked again. */
function releasedFrom(
  { context, masking, settings }: Core & HasContext & HasMasking,
  key: string,
  find: Find<Records>,
): ObservedState {
  const { observed } = context
  const [reply] = find('reply', [key])
  const ordinal = reply?.body.ordinal ?? observed.next
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

/** Observed outputs count again, masks are lifted, and what is pinned is remembered. */
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
  for (const { body } of find('reply', replyKeys(event, lifted, find))) {
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
function replyKeys(
  { restored: named }: MaskingEvent & { type: 'unmasked' },
  lifted: readonly MaskRecord[],
  find: Find<Records>,
): readonly string[] {
  const turns = new Set(named.map(({ call_id }) => call_id))
  const others = lifted.map(({ call_id }) => call_id).filter((call_id) => !turns.has(call_id))
  const last = find('observed_call', others).map(({ body, key }) => resultKey(body.turn, key))
  return [...new Set([...named.map(({ call_id, turn }) => resultKey(turn, call_id)), ...last])]
}
