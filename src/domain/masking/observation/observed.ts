import { extractsIn } from '../../context/extract-index.ts'
import type { ObservedState } from '../../context/observed-state.ts'
import type { ContextRecords } from '../../context/records.ts'
import type { Ref, Sha256 } from '../../digest.ts'
import type { CallUsage } from '../../meter/usage.ts'
import type { Find, RecordWrite } from '../../mission/record.ts'
import { resultKey } from '../../transcript/calls.ts'
import { formatPlaceholder } from '../masks/placeholder.ts'

/** A tool output that arrived by itself: what masking it later needs, and nothing of its text. */
export interface Observed {
  readonly ordinal: number
  readonly call_id: string
  readonly turn: number
  /** How many outputs with this call id came before it. */
  readonly occurrence: number
  readonly tool: string
  readonly ref: Ref | null
  readonly form: 'text' | 'json'
  readonly is_error: boolean
  readonly bytes: number
  /** Of the bytes, also where they are not stored; absent in outputs of older Workers, as the next is. */
  readonly digest?: Sha256
  /** UTF-16 units of its text. */
  readonly characters?: number
  readonly tokens: number
  readonly placeholder: string
  /** Tokens less once it is masked; 0 where it costs no more than its placeholder. */
  readonly saved_tokens: number
  /** Our count of the context before it: what a mask of it leaves in a prompt cache. */
  readonly position: number
  readonly masked: boolean
  /** Its bytes could not be stored: whether it may go all the same is the policy's to say. */
  readonly unstorable?: boolean
  /** Where its extract stands, once it has one and is masked. */
  readonly extract?: string
}

export interface ObservedRecords {
  readonly observed: Observed
}

type FindObserved = Find<ContextRecords & ObservedRecords>
type Kept = (one: Observed) => boolean
type Read = (from: number, to: number) => Iterable<Observed>

/** Adds an output behind all others. */
export function arrive(
  state: ObservedState,
  event: ObservedEvent,
  occurrence: number,
): { readonly state: ObservedState; readonly one: Observed } {
  const { output } = event
  const position = state.counted + event.input_tokens
  const begins = !isLate(output.turn, state.turn)
  return {
    one: { ...output, ordinal: state.count, occurrence, position, masked: false },
    state: {
      ...state,
      count: state.count + 1,
      turn: begins ? output.turn : state.turn,
      turn_start: begins ? state.count : state.turn_start,
      turn_position: begins ? position : state.turn_position,
      counted: position + output.tokens,
    },
  }
}

/**
 * Whether an output is of the current turn, or a parallel one of a turn that is not long ago. A turn
 * far below is one of a caller that counts from the start again.
 */
const isLate = (turn: number, current: number): boolean => turn <= current && 2 * turn >= current

/** An output behind the keep window that was passed over, or did not count, may be masked after all. */
export function reopened(state: ObservedState, one: Observed, kept: Kept): ObservedState {
  if (one.masked || one.saved_tokens <= 0 || kept(one)) return state
  return {
    ...state,
    next: Math.min(state.next, one.ordinal),
    maskable: state.maskable + 1,
    maskable_tokens: state.maskable_tokens + one.saved_tokens,
    first_position: Math.min(state.first_position ?? Infinity, one.position),
  }
}

/** A masked output stands in the context again, and is one that can be masked, unless it is kept. */
export function restored(state: ObservedState, one: Observed, kept: Kept): ObservedState {
  const { saved_tokens } = one
  const back = {
    ...state,
    saved: state.saved - saved_tokens,
    counted: state.counted + saved_tokens,
    turn_position: state.turn_position + saved_tokens,
  }
  return reopened(back, { ...one, masked: false }, kept)
}

/** The keep window moves on: what leaves it may be masked from now on. */
export function leaveWindow(
  state: ObservedState,
  keep: number,
  kept: Kept,
  read: Read,
): ObservedState {
  const edge = Math.max(state.edge, Math.min(state.turn_start, state.count - keep))
  let { maskable, maskable_tokens, first_position } = state
  for (const one of read(state.edge, edge)) {
    if (one.saved_tokens <= 0 || kept(one)) continue
    maskable += 1
    maskable_tokens += one.saved_tokens
    first_position ??= one.position
  }
  return { ...state, edge, maskable, maskable_tokens, first_position }
}

/** Masks from the oldest on until enough is saved; what is kept meanwhile is passed over for good. */
export function maskOldest(
  state: ObservedState,
  enough: (saved: number) => boolean,
  kept: Kept,
  read: Read,
): { readonly state: ObservedState; readonly masked: readonly Observed[] } {
  const masked: Observed[] = []
  let { next } = state
  let saved = 0
  for (const one of read(state.next, state.edge)) {
    if (enough(saved)) break
    next = one.ordinal + 1
    if (one.masked || one.saved_tokens <= 0 || kept(one)) continue
    masked.push(one)
    saved += one.saved_tokens
  }
  const through = next >= state.edge
  return {
    masked,
    state: {
      ...state,
      next,
      maskable: through ? 0 : state.maskable - masked.length,
      maskable_tokens: through ? 0 : state.maskable_tokens - saved,
      first_position: through ? null : (masked.at(-1)?.position ?? state.first_position),
      saved: state.saved + saved,
      counted: Math.max(0, state.counted - saved),
      turn_position: Math.max(0, state.turn_position - saved),
    },
  }
}

/** Rows are looked up in pages, so that a run of any length stays within the bound parameters. */
const PAGE = 100

/** Reads outputs by ordinal, in order; the one that just arrived is not stored yet. */
export const observedReader = (find: FindObserved, arrived?: Observed): Read =>
  function* read(from, to) {
    for (let start = from; start < to; start += PAGE) {
      const keys = Array.from({ length: Math.min(PAGE, to - start) }, (_, at) => String(start + at))
      const page = find('observed', keys).map(({ body }) => body)
      const ordered = page.toSorted((one, other) => one.ordinal - other.ordinal)
      yield* withExtracts(ordered, find)
    }
    if (arrived !== undefined && arrived.ordinal >= from && arrived.ordinal < to)
      yield* withExtracts([arrived], find)
  }

/** What has an extract by now is masked by a placeholder that names it, and saves that much less. */
function withExtracts(outputs: readonly Observed[], find: FindObserved): readonly Observed[] {
  const keys = outputs.map(({ call_id, turn }) => resultKey(turn, call_id))
  const found = find('extracted', keys)
  if (found.length === 0) return outputs
  const extracts = extractsIn(found)
  return outputs.map((one) => {
    const extract = extracts.get(resultKey(one.turn, one.call_id))
    if (one.masked || one.ref === null || extract?.tool !== one.tool) return one
    const { form, is_error, ref, saved_tokens, tool } = one
    const { path } = extract
    return {
      ...one,
      extract: path,
      placeholder: formatPlaceholder({ tool, ref, form, is_error, extract: path }),
      saved_tokens: saved_tokens - extract.tokens,
    }
  })
}

export const observedRecord = (one: Observed, at: string): RecordWrite<ObservedRecords> => ({
  kind: 'observed',
  key: String(one.ordinal),
  at,
  body: one,
})

/** One tool output as it arrived, already stored where it costs more than its placeholder. */
export interface ObservedEvent {
  readonly type: 'observed'
  readonly id: string
  readonly output: Omit<Observed, 'ordinal' | 'occurrence' | 'position' | 'masked'>
  readonly input_tokens: number
  /** The provider's usage of the call that asked for the tool. */
  readonly usage: CallUsage | null
  /** The sender can't change its messages: nothing is masked that nobody would replace. */
  readonly applies_no_edits?: boolean
}
