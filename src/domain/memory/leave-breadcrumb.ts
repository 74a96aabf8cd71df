import type { MissionState } from '../ledger/state.ts'
import type { Step } from '../mission/step.ts'
import { dayOf } from './breadcrumb.ts'
import type { Breadcrumb } from './breadcrumb.ts'
import { memoryOf } from './memory-state.ts'

/** One of a day's breadcrumbs as a record, by its number from 1. */
export const breadcrumbKey = (day: string, number: number): string => `${day}/${number}`

/** Appends to the file of the UTC day. */
export function breadcrumbLeft(state: MissionState, breadcrumb: Breadcrumb, at: string): Step {
  const memory = memoryOf(state)
  const day = dayOf(at)
  const breadcrumbs = (memory.today?.day === day ? memory.today.breadcrumbs : 0) + 1
  const key = breadcrumbKey(day, breadcrumbs)
  return {
    state: {
      ...state,
      memory: {
        ...memory,
        breadcrumb: true,
        task_done: memory.task_done || breadcrumb.task_complete,
        last_breadcrumb: key,
        today: { day, breadcrumbs },
      },
    },
    records: [
      { kind: 'breadcrumb', key, at, body: { ...breadcrumb, at } },
      { kind: 'day', key: day, at, body: { breadcrumbs } },
    ],
  }
}
