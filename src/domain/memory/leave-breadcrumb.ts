import type { HasContext } from '../context/context-state.ts'
import type { Step } from '../mission/step.ts'
import { dayOf } from './entries/breadcrumb.ts'
import type { Breadcrumb } from './entries/breadcrumb.ts'
import type { HasMemory } from './memory-state.ts'
import type { MemoryRecords } from './records.ts'

/** One of a day's breadcrumbs as a record, by its number from 1. */
export const breadcrumbKey = (day: string, number: number): string => `${day}/${number}`

/** Appends to the file of the UTC day. */
export function leaveBreadcrumb<S extends HasContext & HasMemory>(
  state: S,
  breadcrumb: Breadcrumb,
  at: string,
): Step<S, MemoryRecords> {
  const { context, memory } = state
  const day = dayOf(at)
  const breadcrumbs = (memory.today?.day === day ? memory.today.breadcrumbs : 0) + 1
  const key = breadcrumbKey(day, breadcrumbs)
  return {
    state: {
      ...state,
      context: {
        ...context,
        breadcrumb: true,
        task_done: context.task_done || breadcrumb.task_complete,
      },
      memory: { last_breadcrumb: key, today: { day, breadcrumbs } },
    },
    records: [
      { kind: 'breadcrumb', key, at, body: { ...breadcrumb, at } },
      { kind: 'day', key: day, at, body: { breadcrumbs } },
    ],
  }
}
