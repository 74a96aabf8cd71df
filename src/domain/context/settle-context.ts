import type { Find } from '../mission/record.ts'
import type { Step } from '../mission/step.ts'
import { resultKey } from '../transcript/calls.ts'
import type { ContextState, ExtractDue, HasContext } from './context-state.ts'
import type { ContextRecords } from './records.ts'

/**
 * What every step means for the context: a reading after a summary ends the condensing, summarized turns
 * that a report shows to be gone are no longer unread, and what has an extract is no longer due one.
 */
export function settleContext<S extends HasContext, Bodies>(
  before: S,
  step: Step<S, Bodies>,
  find: Find<ContextRecords>,
): Step<S, Bodies> {
  const { context } = step.state
  const was = before.context
  const read = context.reading !== was.reading && context.summarised === was.summarised
  const condensed = read && context.condensed === 'begun' ? 'done' : context.condensed
  const unread = unreadAfter(was, step, read)
  const extracts_due =
    context.extracts_due === was.extracts_due
      ? context.extracts_due
      : withoutExtracts(context.extracts_due, find)
  if (
    condensed === context.condensed &&
    unread === context.unread &&
    extracts_due === context.extracts_due
  )
    return step
  return {
    ...step,
    state: { ...step.state, context: { ...context, condensed, unread, extracts_due } },
  }
}

function unreadAfter<Bodies>(
  was: ContextState,
  { records = [], state: { context } }: Step<HasContext, Bodies>,
  read: boolean,
): ContextState['unread'] {
  const { unread } = context
  const gone = Math.max(0, was.turns - context.turns)
  const turns = Math.max(0, unread.turns - gone)
  const masked = !read && (unread.masked || records.some(({ kind }) => kind === 'masking'))
  return turns === unread.turns && masked === unread.masked ? unread : { turns, masked }
}

/** How many due extracts are kept: more than an answer names, few enough for the row of the state. */
const KEPT_DUE = 50

function withoutExtracts(
  due: readonly ExtractDue[],
  find: Find<ContextRecords>,
): readonly ExtractDue[] {
  const keys = due.map(({ call_id, turn }) => resultKey(turn, call_id))
  const extracted = new Set(keys.length === 0 ? [] : find('extracted', keys).map(({ key }) => key))
  return due.filter((_, index) => !extracted.has(keys[index] ?? '')).slice(0, KEPT_DUE)
}
