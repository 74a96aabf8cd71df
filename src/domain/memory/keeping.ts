import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { Find } from '../mission/record.ts'
import type { MissionState } from '../mission/state.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { dayOf } from './breadcrumb.ts'
import type { Breadcrumb } from './breadcrumb.ts'
import { extractPath } from './extract.ts'
import type { Extract } from './extract.ts'
import { extractedCallKey, extractedKey } from './extracted.ts'
import type { Extracted } from './extracted.ts'
import { memoryOf } from './memory-state.ts'

/** The calls of one turn of a task that have extracts, in the order of their places. */
export interface ExtractedTurn {
  readonly calls: readonly string[]
}

export const extractedTurnKey = (task: string, turn: number): string => JSON.stringify([task, turn])

/** How many parallel calls one turn can have extracts of. */
const MOST_CALLS = 1000

/** Keeps an extract under the next free path of its turn; the same call again replaces its own. */
export function extracted(
  state: MissionState,
  event: { readonly extract: Omit<Extract, 'at'>; readonly tokens: number },
  at: string,
  find: Find,
): Result<Step, Failure> {
  const { call_id, task, tool, turn } = event.extract
  const turnKey = extractedTurnKey(task, turn)
  const known = find('extracted', [turnKey])[0]?.body as ExtractedTurn | undefined
  const calls = known?.calls ?? []
  const place = calls.includes(call_id) ? calls.indexOf(call_id) + 1 : calls.length + 1
  if (place > MOST_CALLS)
    return err(failure('invalid_input', { detail: `at most ${MOST_CALLS} extracts a turn` }))
  const path = extractPath(task, turn, place)
  const body: Extract = { ...event.extract, at }
  // A place behind the first adds a dash and a number to the path: two tokens.
  const tokens = event.tokens + (place === 1 ? 0 : 2)
  const named: Extracted = { tool, path: `memory/${path}`, tokens }
  const { meter } = state
  const extracts_due = meter.extracts_due.filter(
    (due) => due.turn !== turn || due.call_id !== call_id,
  )
  return ok({
    state: { ...state, meter: { ...meter, extracts_due } },
    records: [
      { kind: 'extract', key: path, at, body },
      { kind: 'extracted', key: extractedKey(turn, call_id), at, body: named },
      { kind: 'extracted', key: extractedCallKey(call_id), at, body: named },
      {
        kind: 'extracted',
        key: turnKey,
        at,
        body: { calls: place > calls.length ? [...calls, call_id] : calls },
      },
    ],
  })
}

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
