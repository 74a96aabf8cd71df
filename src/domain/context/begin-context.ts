import { FIRST_CONTEXT } from './context-state.ts'
import type { ContextState, HasContext } from './context-state.ts'
import { withoutContext } from './observed-state.ts'

/** The cause by which a report says that its context is a fresh one (seed step 7). */
export const SWITCH = 'switch'

/**
 * Whether a report is of a fresh context: it says so, or the mission was advised to switch and the
 * context now has fewer turns, or is less than half as full. Where turns were summarized the report's
 * word is not enough: if the context were the old one, those turns would be summarized twice. A context
 * that shrank by its own summaries and masks is not a fresh one.
 */
export function isFreshContext(
  { summarised, unread, turns, reading, ...context }: ContextState,
  report: {
    readonly cause: string
    readonly turns: number | null
    readonly percent: number
  },
): boolean {
  const told = report.cause === SWITCH
  if (told && summarised.length === 0) return true
  if (!told && !isTaskDone(context)) return false
  if (report.turns !== null && turns > 0) return report.turns < turns - unread.turns
  if (reading === null || unread.masked || (!told && summarised.length > 0)) return false
  return report.percent < reading.percent / 2
}

/** Whether the context is a completed task's: reported so, or with its breadcrumb (DESIGN section 5). */
export const isTaskDone = (context: Pick<ContextState, 'breadcrumb' | 'task_done'>): boolean =>
  context.breadcrumb || context.task_done

/** A new context begins empty; the calibration stays, and the ordinals of observed outputs go on. */
export function beginContext<S extends HasContext>(state: S): S {
  const { context } = state
  const { begun, completed, with_breadcrumb } = state.contexts
  const { task_done, breadcrumb } = context
  return {
    ...state,
    context: {
      ...FIRST_CONTEXT,
      number: begun + 1,
      conversation: context.conversation,
      calls: context.calls,
      calibration: context.calibration,
      observed: withoutContext(context.observed),
    },
    contexts: {
      begun: begun + 1,
      completed: completed + (task_done ? 1 : 0),
      with_breadcrumb: with_breadcrumb + (task_done && breadcrumb ? 1 : 0),
    },
  }
}
