import { beginContext, isFreshContext } from '../../context/begin-context.ts'
import { sumsBefore, repeats } from '../../context/calls.ts'
import type { HasContext, ContextState } from '../../context/context-state.ts'
import type { ObservedState } from '../../context/observed-state.ts'
import type { ContextRecords } from '../../context/records.ts'
import { sampleRecord } from '../../context/report/sample.ts'
import { digestOfRef } from '../../digest.ts'
import { formatPointer } from '../../json/pointer.ts'
import type { MaskingItem } from '../../log/row.ts'
import type { Core } from '../../mission/core.ts'
import type { Find, RecordWrite } from '../../mission/record.ts'
import type { Step } from '../../mission/step.ts'
import { resultKey } from '../../transcript/calls.ts'
import { recordMasks } from '../mask-index.ts'
import { maskingEntry } from '../masking-entry.ts'
import type { HasMasking } from '../masking-state.ts'
import type { MaskRecord } from '../masks/mask-record.ts'
import { policyOf } from '../policy.ts'
import type { Policy } from '../policy.ts'
import type { MaskingRecords } from '../records.ts'
import { keeps } from '../retention.ts'
import { withDue } from '../seen.ts'
import { addSession } from '../session-cost.ts'
import type { SessionCall } from '../session-cost.ts'
import {
  arrive,
  leaveWindow,
  maskOldest,
  observedReader,
  observedRecord,
  reopened,
} from './observed.ts'
import type { Observed, ObservedEvent } from './observed.ts'
import type { ObservationRecords } from './records.ts'
import type { Reply } from './reply.ts'
import { turnOf, judge } from './trigger.ts'

type Records = ContextRecords & MaskingRecords & ObservationRecords

/**
 * Takes one output in: counts it, moves the keep window on, and masks what is due. The work is that
 * of the new output and of what is masked by it; nothing in it grows with the session.
 */
export function reduceObserved<S extends Core & HasContext & HasMasking>(
  before: S,
  event: ObservedEvent,
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const policy = policyOf(before.settings)
  const output = judged(event.output, policy)
  const [reply] = find('reply', [resultKey(output.turn, output.call_id)])
  if (reply !== undefined) return again(before, reply.body, output, policy, at, find)
  const [called] = find('observed_call', [output.call_id])
  const { outputs } = called?.body ?? { outputs: 0 }
  const state = startsOver(before, output.turn) ? beginContext(before) : before

  const kept = keeps(policy, state.masking)
  const { state: arrived, one } = arrive(state.context.observed, { ...event, output }, outputs)
  const read = observedReader(find, one)
  const grown = leaveWindow(arrived, policy.keep, kept, read)
  const verdict = judge(state, grown, event.usage, policy)
  const run =
    verdict.fired && event.applies_no_edits !== true
      ? maskOldest(grown, verdict.enough, kept, read)
      : { state: grown, masked: [] }
  const observed = {
    ...run.state,
    calibration: verdict.calibration,
    regret: run.masked.length > 0 ? 0 : verdict.regret,
    read_at: at,
  }
  const context = contextAfter(state.context, verdict, observed, run.masked, one, at)
  const edits = run.masked.map(({ call_id, turn, placeholder, ref }) => ({
    call_id,
    turn,
    placeholder,
    ref,
  }))
  const { call_id, turn } = output
  const records: RecordWrite<Records>[] = [
    observedRecord(one, at),
    { kind: 'reply', key: resultKey(turn, call_id), at, body: { ordinal: one.ordinal, edits } },
    { kind: 'observed_call', key: call_id, at, body: { outputs: outputs + 1, turn } },
  ]
  if (context.reading !== null)
    records.push(sampleRecord(context.reading, 'observation', at, state.version + 1))
  const session = sessionAfter(state, sessionCall(observed, run.masked), policy, at)
  records.push(...session.records)
  const masking = { ...state.masking, cost: session.totals }
  const next = { ...state, context: { ...context, calls: session.calls }, masking }
  if (run.masked.length === 0) return { state: next, records }
  return logRun(next, records, { id: event.id, masked: run.masked }, at, find)
}

/** A turn is one call of the model; a further output of the turn is counted only where it masks. */
function sessionAfter(
  { context, masking }: HasContext & HasMasking,
  call: SessionCall,
  policy: Policy,
  at: string,
): ReturnType<typeof addSession> {
  const { calls } = context
  const before = { calls, totals: masking.cost }
  if (repeats(calls, call.fingerprint) !== 'no' && call.unchanged === null)
    return { ...before, records: [] }
  const { regret } = sumsBefore(calls, call.fingerprint)
  return addSession(before, call, regret, policy.prices, at)
}

/** What could not be stored leaves the context only where the policy says so. */
const judged = (output: ObservedEvent['output'], policy: Policy): ObservedEvent['output'] =>
  output.unstorable === true && policy.unstorable === 'keep'
    ? { ...output, saved_tokens: 0 }
    : output

/** The same output again changes nothing, unless its bytes could be stored this time. */
function again<S extends Core & HasContext & HasMasking>(
  before: S,
  { ordinal }: Reply,
  output: ObservedEvent['output'],
  policy: Policy,
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const [known] = [...observedReader(find)(ordinal, ordinal + 1)]
  if (known?.unstorable !== true || known.masked || output.ref === null) return { state: before }
  const { placeholder, ref, saved_tokens } = output
  const one: Observed = { ...known, unstorable: false, placeholder, ref, saved_tokens }
  const { observed } = before.context
  const counted = ordinal >= observed.edge || known.saved_tokens > 0
  const next = counted ? observed : reopened(observed, one, keeps(policy, before.masking))
  return {
    state: { ...before, context: { ...before.context, observed: next } },
    records: [observedRecord(one, at)],
  }
}

/**
 * Whether turns count from the start again after the mission was advised to switch. Outputs can
 * arrive out of order, so a turn that is only a little lower says nothing.
 */
const startsOver = (state: HasContext, turn: number): boolean =>
  isFreshContext(state.context, { cause: 'observation', turns: 2 * turn, percent: Infinity })

/** One call of the model a turn: what came later in a turn belongs to the next call. */
function sessionCall(observed: ObservedState, masked: readonly Observed[]): SessionCall {
  const { turn, counted, saved, maskable_tokens } = observed
  return {
    fingerprint: turnOf(turn),
    turn,
    raw: counted + saved,
    masked: counted,
    bound: counted - maskable_tokens,
    unchanged: masked[0]?.position ?? null,
  }
}

function contextAfter(
  context: ContextState,
  verdict: ReturnType<typeof judge>,
  observed: ObservedState,
  masked: readonly Observed[],
  one: Observed,
  at: string,
): ContextState {
  const reading = verdict.readingOf(observed.counted)
  const gone = new Set(masked.map(({ turn, call_id }) => resultKey(turn, call_id)))
  const left = context.extracts_due.filter(
    ({ turn, call_id }) => !gone.has(resultKey(turn, call_id)),
  )
  return {
    ...context,
    observed,
    reading: reading === null ? context.reading : { ...reading, at },
    turns: observed.turn,
    maskable: observed.maskable,
    after_masking: context.after_masking || masked.length > 0,
    extracts_due: withDue(left, one, reading?.window_tokens ?? null),
  }
}

function logRun<S extends Core & HasContext>(
  state: S,
  records: readonly RecordWrite<Records>[],
  run: { readonly id: string; readonly masked: readonly Observed[] },
  at: string,
  find: Find<Records>,
): Step<S, Records> {
  const items = run.masked.map(itemOf)
  const percent = state.context.reading?.percent ?? null
  const entry = maskingEntry({ id: run.id, items }, at, percent)
  const { tenant, mission } = state
  return {
    state,
    records: [
      ...records,
      ...run.masked.map((one) => observedRecord({ ...one, masked: true }, at)),
      { kind: 'masking', key: run.id, at, body: entry },
      ...recordMasks(run.masked.map(maskOf), at, find),
    ],
    outbox: [{ table: 'masking', tenant, mission, ...entry }],
  }
}

const maskOf = (one: Observed): MaskRecord => ({
  call_id: one.call_id,
  tool: one.tool,
  ref: one.ref,
  form: one.form,
  is_error: one.is_error,
  occurrence: one.occurrence,
  digest: one.digest ?? (one.ref && digestOfRef(one.ref)),
  placeholder: one.placeholder,
  bytes: one.bytes,
  characters: one.characters ?? one.bytes,
  tokens: one.tokens,
  saved_tokens: one.saved_tokens,
})

/** The caller's own messages are not at hand: an item's pointer names its turn and its call. */
const itemOf = (one: Observed): MaskingItem => ({
  pointer: formatPointer(['turns', one.turn, one.call_id]),
  call_id: one.call_id,
  tool: one.tool,
  turn: one.turn,
  decision: 'masked',
  ref: one.ref,
  bytes: one.bytes,
  tokens: one.tokens,
  saved_tokens: one.saved_tokens,
})
