import type { Named } from '../meter/scale.ts'
import type { Look } from './look.ts'
import { sampleRecord } from './sample.ts'
import { withNamed, scaleOf } from '../meter/scale.ts'
import type { MeterState } from './context-state.ts'
import type { Failure } from '../failure.ts'
import { policyOf } from '../masking/policy.ts'
import { seenIn } from '../masking/seen.ts'
import { beginContext, isFreshContext } from './context.ts'
import type { MissionState } from '../ledger/state.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { learn } from '../meter/calibration.ts'
import { readMeter } from '../meter/meter.ts'
import type { Report } from '../meter/meter.ts'

export interface MeterEvent {
  readonly type: 'context_reported'
  readonly report: Report
  readonly named: Named
  readonly look: Look | null
  readonly turn: number | null
  readonly cause: string
  readonly task_complete: boolean
}

/**
 * A report becomes the mission's reading and a sample; one with usage and count also calibrates. A
 * caller's own number of the turn counts before the transcript's, which summaries make shorter.
 */
export function reduceMeter(
  before: MissionState,
  event: MeterEvent,
  at: string,
): Result<Step, Failure> {
  const { cause, look, report } = event
  const turns = event.turn ?? look?.turns ?? null
  const settings = withNamed(before.settings, event.named)
  const calibration =
    report.usage !== undefined && report.counted !== undefined
      ? learn(before.meter.calibration, {
          counted: report.counted,
          actual: report.usage.prompt_tokens,
        })
      : before.meter.calibration
  const scale = { ...scaleOf(settings, event.named), calibration }
  const reading = readMeter(report, scale)
  if (!reading.ok) return err(reading.error)
  const { percent } = reading.value
  const fresh = isFreshContext(before, { cause, turns, percent })
  const state = fresh ? beginContext(before) : before
  const meter: MeterState = {
    ...state.meter,
    ...(look && seenIn(look, policyOf(settings), state.masking, scale.window_tokens)),
    reading: { ...reading.value, at },
    calibration,
    turns: turns ?? state.meter.turns,
    task_done: event.task_complete,
  }
  const records = [sampleRecord(reading.value, cause, at, state.version + 1)]
  return ok({ state: { ...state, settings, meter }, records })
}
