import type { Failure } from '../failure.ts'
import { learn } from '../meter/calibration.ts'
import { readMeter } from '../meter/meter.ts'
import type { Report } from '../meter/meter.ts'
import { scaleOf, withNamed } from '../meter/scale.ts'
import type { Named } from '../meter/scale.ts'
import type { Core } from '../mission/core.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { beginContext, isFreshContext } from './begin-context.ts'
import type { ContextState, HasContext } from './context-state.ts'
import type { ContextRecords } from './records.ts'
import type { Look } from './report/look.ts'
import { sampleRecord } from './report/sample.ts'

/** Somebody says how full the context is. */
export interface ContextReported {
  readonly type: 'context_reported'
  readonly report: Report
  readonly named: Named
  readonly look: Look | null
  readonly turn: number | null
  readonly cause: string
  readonly task_complete: boolean
}

export type ContextEvent =
  | ContextReported
  | { readonly type: 'context_started' }
  | { readonly type: 'task_completed' }

/** How reports, switches and completed tasks change the current context. */
export function reduceContext<S extends Core & HasContext>(
  state: S,
  event: ContextEvent,
  at: string,
): Result<Step<S, ContextRecords>, Failure> {
  switch (event.type) {
    case 'context_reported':
      return reported(state, event, at)
    case 'context_started':
      return ok({ state: beginContext(state) })
    case 'task_completed':
      return ok({ state: { ...state, context: { ...state.context, task_done: true } } })
  }
}

/**
 * A report becomes the mission's reading and a sample; one with usage and count also calibrates. The
 * caller's own turn number outranks the turns of the transcript, which summaries make fewer.
 */
function reported<S extends Core & HasContext>(
  before: S,
  event: ContextReported,
  at: string,
): Result<Step<S, ContextRecords>, Failure> {
  const { cause, report } = event
  const turns = event.turn ?? event.look?.turns ?? null
  const settings = withNamed(before.settings, event.named)
  const calibration =
    report.usage !== undefined && report.counted !== undefined
      ? learn(before.context.calibration, {
          counted: report.counted,
          actual: report.usage.prompt_tokens,
        })
      : before.context.calibration
  const reading = readMeter(report, { ...scaleOf(settings, event.named), calibration })
  if (!reading.ok) return err(reading.error)
  const { percent } = reading.value
  const fresh = isFreshContext(before.context, { cause, turns, percent })
  const state = fresh ? beginContext(before) : before
  const context: ContextState = {
    ...state.context,
    reading: { ...reading.value, at },
    calibration,
    turns: turns ?? state.context.turns,
    task_done: state.context.task_done || event.task_complete,
  }
  const records = [sampleRecord(reading.value, cause, at, state.version + 1)]
  return ok({ state: { ...state, settings, context }, records })
}
