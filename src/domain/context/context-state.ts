import type { Calibration } from '../meter/calibration.ts'
import type { Reading } from '../meter/meter.ts'
import type { CallsState } from './calls.ts'
import { NO_CALLS_MADE } from './calls.ts'
import type { TurnRange } from './eligible.ts'
import { NOTHING_OBSERVED } from './observed-state.ts'
import type { ObservedState } from './observed-state.ts'

/** A tool result of 2 KB and more that no extract keeps yet (seed step 1). */
export interface ExtractDue {
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  readonly bytes: number
  /** So large a part of the window that it should be extracted at once. */
  readonly urgent?: boolean
}

/** What stands in the agent's context window now, and what was done in it: numbers, whatever its size. */
export interface ContextState {
  /** Which context of the mission this is, from 1. */
  readonly number: number
  /** Of which conversation it is; null while none was named. */
  readonly conversation: string | null
  readonly calls: CallsState
  readonly reading: (Reading & { readonly at: string }) | null
  readonly calibration: Calibration | null
  /** Assistant turns of the transcript that was last seen. */
  readonly turns: number
  /** How many tool results a mask would replace now. */
  readonly maskable: number
  /** Outputs were masked in this context. */
  readonly after_masking: boolean
  readonly extracts_due: readonly ExtractDue[]
  /** The outputs that the mission was told of one by one. */
  readonly observed: ObservedState
  /** The turns that summaries stand for. */
  readonly summarised: readonly TurnRange[]
  /** `begun` by a summary in this context, `done` once the context was read again after it. */
  readonly condensed: 'no' | 'begun' | 'done'
  /**
   * What shrinks the next report although its context is the same: summarized turns that no report has
   * shown to be gone, and a mask after which nothing was read.
   */
  readonly unread: { readonly turns: number; readonly masked: boolean }
  /** A breadcrumb was left in this context. */
  readonly breadcrumb: boolean
  /** The task was reported complete in this context. */
  readonly task_done: boolean
}

/** How many contexts were begun; those whose task was completed, and with a breadcrumb among them. */
export interface ContextTally {
  readonly begun: number
  readonly completed: number
  readonly with_breadcrumb: number
}

/** One line of history inside a mission: a subagent, a branch, a retry. */
export interface Conversation {
  readonly id: string
  /** When it was last heard of, and how full it was then. */
  readonly at: string | null
  readonly percent: number | null
}

/** The slice that this folder owns. */
export interface HasContext {
  readonly context: ContextState
  readonly contexts: ContextTally
  /** The other conversations, the one that was heard last in front. */
  readonly conversations: readonly Conversation[]
}

export const FIRST_CONTEXT: ContextState = {
  number: 1,
  conversation: null,
  calls: NO_CALLS_MADE,
  reading: null,
  calibration: null,
  turns: 0,
  maskable: 0,
  after_masking: false,
  extracts_due: [],
  observed: NOTHING_OBSERVED,
  summarised: [],
  condensed: 'no',
  unread: { turns: 0, masked: false },
  breadcrumb: false,
  task_done: false,
}

export const ONE_CONTEXT: ContextTally = { begun: 1, completed: 0, with_breadcrumb: 0 }
