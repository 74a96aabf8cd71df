import type { TurnRange } from '../context/eligible.ts'
import type { MissionState } from '../ledger/state.ts'

/** What a mission's memory knows beside its records: a few numbers, whatever the session's length. */
export interface MemoryState {
  /** Which context of the mission this is, from 1. */
  readonly context: number
  /** The turns of this context that summaries stand for. */
  readonly summarised: readonly TurnRange[]
  /** `begun` by a summary in this context, `done` once the context was read again after it. */
  readonly condensed: 'no' | 'begun' | 'done'
  /**
   * What can make the next report of this context look like one of another: summarized turns that no
   * report has shown to be gone, and a mask after which nothing was read.
   */
  readonly unread: { readonly turns: number; readonly masked: boolean }
  /** A breadcrumb was left in this context. */
  readonly breadcrumb: boolean
  /** The task was reported complete in this context. */
  readonly task_done: boolean
  /** The key of the last breadcrumb, of any context. */
  readonly last_breadcrumb: string | null
  /** The last day that has breadcrumbs, and how many. */
  readonly today: { readonly day: string; readonly breadcrumbs: number } | null
  /** Contexts that ended after their task was complete, and those with a breadcrumb among them. */
  readonly completed: { readonly tasks: number; readonly with_breadcrumb: number }
}

export const NO_MEMORY: MemoryState = {
  context: 1,
  summarised: [],
  condensed: 'no',
  unread: { turns: 0, masked: false },
  breadcrumb: false,
  task_done: false,
  last_breadcrumb: null,
  today: null,
  completed: { tasks: 0, with_breadcrumb: 0 },
}

/** A mission that was stored before it had a memory, or a part of it, has none. */
export const memoryOf = (state: MissionState): MemoryState => {
  const { memory } = state
  return memory?.unread === undefined ? { ...NO_MEMORY, ...memory } : memory
}
