import { withoutContext } from './observed-state.ts'
import type { MeterState, ExtractDue } from './context-state.ts'
import type { Find } from '../mission/record.ts'
import type { MissionState } from '../ledger/state.ts'
import type { Step } from '../mission/step.ts'
import { extractedKey } from './extract-index.ts'
import { memoryOf, NO_MEMORY } from '../memory/memory-state.ts'
import type { MemoryState } from '../memory/memory-state.ts'

/** The cause by which a report says that its context is a fresh one (seed step 7). */
export const SWITCH = 'switch'

/**
 * Whether a report is of a fresh context: it says so, or the mission was advised to switch and the
 * context is now of fewer turns, or less than half as full. A fresh context's turns may be summarized,
 * so where some were, saying so is not enough: they could be the same turns, summarized twice. What
 * summaries and masks take from a context by themselves shows nothing.
 */
export function isFreshContext(
  state: MissionState,
  report: {
    readonly cause: string
    readonly turns: number | null
    readonly percent: number
  },
): boolean {
  const { meter } = state
  const { summarised, unread } = memoryOf(state)
  const told = report.cause === SWITCH
  if (told && summarised.length === 0) return true
  if (!told && !isTaskDone(state)) return false
  if (report.turns !== null && meter.turns > 0) return report.turns < meter.turns - unread.turns
  if (meter.reading === null || unread.masked || (!told && summarised.length > 0)) return false
  return report.percent < meter.reading.percent / 2
}

/** Whether the context is a completed task's: reported so, or with its breadcrumb (DESIGN section 5). */
export function isTaskDone(state: MissionState): boolean {
  const { breadcrumb, task_done } = memoryOf(state)
  return breadcrumb || task_done || state.meter.task_done
}

/** A new context begins empty; what was learnt of the counts stays, and the files do. */
export function beginContext(state: MissionState): MissionState {
  const memory = memoryOf(state)
  const completed = memory.task_done || state.meter.task_done
  const { tasks, with_breadcrumb } = memory.completed
  return {
    ...state,
    meter: emptied(state.meter),
    masking: { ...state.masking, observed: withoutContext(state.masking.observed) },
    memory: {
      ...memory,
      context: memory.context + 1,
      summarised: [],
      condensed: 'no',
      unread: NO_MEMORY.unread,
      breadcrumb: false,
      task_done: false,
      completed: {
        tasks: tasks + (completed ? 1 : 0),
        with_breadcrumb: with_breadcrumb + (completed && memory.breadcrumb ? 1 : 0),
      },
    },
  }
}

/**
 * What every step means for the memory: a reading after a summary ends the condensing, a completed
 * task stays completed until the context is switched, and what has an extract is due no more.
 */
export function settleMemory(before: MissionState, step: Step, find: Find): Step {
  const { meter } = step.state
  const memory = memoryOf(step.state)
  const summarized = memory.summarised !== memoryOf(before).summarised
  const read = meter.reading !== before.meter.reading && !summarized
  const condensed = read && memory.condensed === 'begun' ? 'done' : memory.condensed
  const task_done = memory.task_done || meter.task_done
  const unread = unreadAfter(before, step, memory.unread, read)
  const settled =
    condensed === memory.condensed && task_done === memory.task_done && unread === memory.unread
      ? memory
      : { ...memory, condensed, task_done, unread }
  const extracts_due =
    meter.extracts_due === before.meter.extracts_due
      ? meter.extracts_due
      : withoutExtracts(meter.extracts_due, find)
  if (settled === memory && extracts_due === meter.extracts_due) return step
  return { ...step, state: { ...step.state, memory: settled, meter: { ...meter, extracts_due } } }
}

/** Turns that are gone from the context now are not missed a second time. */
function unreadAfter(
  before: MissionState,
  { records = [], state }: Step,
  unread: MemoryState['unread'],
  read: boolean,
): MemoryState['unread'] {
  const gone = Math.max(0, before.meter.turns - state.meter.turns)
  const turns = Math.max(0, unread.turns - gone)
  const masked = !read && (unread.masked || records.some(({ kind }) => kind === 'masking'))
  return turns === unread.turns && masked === unread.masked ? unread : { turns, masked }
}

/** More than an answer names, and few enough for the mission's one row. */
const KEPT_DUE = 50

function withoutExtracts(due: readonly ExtractDue[], find: Find): readonly ExtractDue[] {
  const keys = due.map(({ call_id, turn }) => extractedKey(turn, call_id))
  const extracted = new Set(keys.length === 0 ? [] : find('extracted', keys).map(({ key }) => key))
  return due.filter((_, index) => !extracted.has(keys[index] ?? '')).slice(0, KEPT_DUE)
}

const emptied = (meter: MeterState): MeterState => ({
  ...meter,
  reading: null,
  turns: 0,
  maskable: 0,
  after_masking: false,
  task_done: false,
  extracts_due: [],
})
