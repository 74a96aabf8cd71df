import type { ContextReported } from '../context/events.ts'
import { grown, withTrajectory } from '../fold/lifecycle/trajectory.ts'
import type { WaitingReport } from '../hooks/hooks-state.ts'
import { scaleOf } from '../meter/scale.ts'
import { findAfter, joinSteps } from '../mission/join-steps.ts'
import type { Phase } from '../mission/phases.ts'
import type { Find } from '../mission/record.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { Reduce } from './event.ts'
import type { MissionRecords, MissionStep } from './records.ts'
import type { MissionState } from './state.ts'

/** The state of a mission stays small: of more reports than this the newest wait. */
const MOST_WAITING = 32

/** A report that waits for a window: its counts are kept, its look is not. */
export function keepWaiting(
  state: MissionState,
  event: ContextReported,
  during: Phase | undefined,
  at: string,
): MissionState {
  const { hooks } = state
  const turn = event.turn ?? event.look?.turns ?? null
  const waiting: WaitingReport = {
    event: { ...event, turn, look: null },
    at,
    during: during ?? state.phase,
  }
  const reports = [...hooks.reports, waiting].sort((one, other) => order(one.at, other.at))
  return { ...state, hooks: { ...hooks, reports: reports.slice(-MOST_WAITING) } }
}

/** Once a window is known, what waited for it counts as if it had been known from the start. */
export function settleReports(
  step: MissionStep,
  find: Find<MissionRecords>,
  reduce: Reduce,
): MissionStep {
  const { reports, ...hooks } = step.state.hooks
  if (reports.length === 0 || scaleOf(step.state.settings).window_tokens === null) return step
  let settled: MissionStep = {
    ...step,
    state: { ...step.state, hooks: { ...hooks, reports: [] } },
  }
  for (const [index, { at, during, event }] of reports.entries()) {
    const before = settled.state
    const read = reduce(before, event, at, findAfter(settled, find))
    if (!read.ok) continue
    // Several samples of one version, perhaps of one time: the place makes their keys differ.
    const records = (read.value.records ?? []).map((one) =>
      one.kind === 'sample' ? { ...one, key: `${one.key} ${index}` } : one,
    )
    settled = joinSteps(settled, reportedAt(before, { ...read.value, records }, during, at))
  }
  return settled
}

/**
 * A report at the sender's time. One that is older than what is known is a sample and keeps the
 * settings that it names, but does not become the reading.
 */
export function reportedAt(
  before: MissionState,
  step: MissionStep,
  during: Phase | undefined,
  at: string,
): MissionStep {
  const { reading } = before.context
  const older = reading !== null && reading.at > at
  const after = older ? withSettings(before, step.state.settings) : step.state
  if (during === undefined) return { ...step, state: withTrajectory(after) }
  const tokens = during === 'locate' ? (step.state.context.reading?.tokens ?? null) : null
  return { ...step, state: grown(after, tokens) }
}

/** A percentage is a reading without a window; it is shown beside the one that is known later. */
function withSettings(state: MissionState, settings: MissionSettings): MissionState {
  const { reading } = state.context
  if (reading === null || reading.window_tokens !== null) return { ...state, settings }
  const { window_tokens } = scaleOf(settings)
  return {
    ...state,
    settings,
    context: { ...state.context, reading: { ...reading, window_tokens } },
  }
}

const order = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
