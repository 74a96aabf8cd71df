import type { ParkedPhase } from './hooks-state.ts'
import type { Failure } from '../failure.ts'
import type { Find } from '../mission/record.ts'
import { PHASES } from '../mission/phases.ts'
import type { MissionState } from '../ledger/state.ts'
import type { Phase } from '../mission/phases.ts'
import type { Step } from '../mission/step.ts'
import type { Result } from '../result.ts'
import { joinSteps } from '../mission/join-steps.ts'
import { hooksOf } from './hooks-state.ts'

/** Moves a mission to a phase, or says why not yet: the fold's own rule. */
export type Advance = (
  state: MissionState,
  to: Phase,
  at: string,
  find: Find,
) => Result<Step, Failure>

const rank = (phase: Phase): number => PHASES.indexOf(phase)

/**
 * A phase that a platform says the mission is in now. One that the mission has passed, or will not
 * enter any more, changes nothing, whenever it arrives; one that it can't enter yet is parked until
 * it can.
 */
export function signalPhase(
  state: MissionState,
  { to, at }: ParkedPhase,
  find: Find,
  advance: Advance,
): Step {
  if (rank(to) <= rank(state.phase) || state.status === 'completed') return { state }
  const moved = advance(state, to, at, find)
  return moved.ok ? moved.value : { state: park(state, { to, at }) }
}

/** Enters as many of the parked phases as what has just happened allows, in their order. */
export function settleParked(step: Step, find: Find, advance: Advance): Step {
  let settled = step
  for (const parked of hooksOf(step.state).parked) {
    const next = signalPhase(settled.state, parked, find, advance)
    if (rank(next.state.phase) >= rank(parked.to))
      settled = joinSteps(settled, { ...next, state: unpark(next.state, parked.to) })
  }
  return settled
}

/** One entry a phase, with the earliest time that was heard, whatever the order of arrival. */
function park(state: MissionState, phase: ParkedPhase): MissionState {
  const hooks = hooksOf(state)
  const known = hooks.parked.find(({ to }) => to === phase.to)
  if (known !== undefined && known.at <= phase.at) return state
  const parked = [...hooks.parked.filter((one) => one !== known), phase].sort(
    (a, b) => rank(a.to) - rank(b.to),
  )
  return { ...state, hooks: { ...hooks, parked } }
}

function unpark(state: MissionState, phase: Phase): MissionState {
  const hooks = hooksOf(state)
  return { ...state, hooks: { ...hooks, parked: hooks.parked.filter(({ to }) => to !== phase) } }
}
