import type { HasFold } from '../fold/lifecycle/folding.ts'
import { movePhase } from '../fold/lifecycle/phase.ts'
import type { Core } from '../mission/core.ts'
import { joinSteps } from '../mission/join-steps.ts'
import { PHASES } from '../mission/phases.ts'
import type { Phase } from '../mission/phases.ts'
import type { Step } from '../mission/step.ts'
import type { ParkedPhase, HasHooks } from './hooks-state.ts'

const rank = (phase: Phase): number => PHASES.indexOf(phase)

/**
 * A phase that a platform says the mission is in now. One that the mission has passed, or will not
 * enter any more, changes nothing, whenever it arrives; one that it can't enter yet is parked until
 * it can.
 */
export function signalPhase<S extends Core & HasFold & HasHooks>(
  state: S,
  { to, at }: ParkedPhase,
): Step<S> {
  if (rank(to) <= rank(state.phase) || state.status === 'completed') return { state }
  const moved = movePhase(state, to)
  return moved.ok ? moved.value : { state: park(state, { to, at }) }
}

/** Enters as many of the parked phases as what has just happened allows, in their order. */
export function settleParked<S extends Core & HasFold & HasHooks, Bodies>(
  step: Step<S, Bodies>,
): Step<S, Bodies> {
  let settled = step
  for (const parked of step.state.hooks.parked) {
    const next = signalPhase(settled.state, parked)
    if (rank(next.state.phase) >= rank(parked.to))
      settled = joinSteps(settled, { ...next, state: unpark(next.state, parked.to) })
  }
  return settled
}

/** One entry a phase, with the earliest time that was heard, whatever the order of arrival. */
function park<S extends HasHooks>(state: S, phase: ParkedPhase): S {
  const { hooks } = state
  const known = hooks.parked.find(({ to }) => to === phase.to)
  if (known !== undefined && known.at <= phase.at) return state
  const parked = [...hooks.parked.filter((one) => one !== known), phase].sort(
    (a, b) => rank(a.to) - rank(b.to),
  )
  return { ...state, hooks: { ...hooks, parked } }
}

function unpark<S extends HasHooks>(state: S, phase: Phase): S {
  const { hooks } = state
  return { ...state, hooks: { ...hooks, parked: hooks.parked.filter(({ to }) => to !== phase) } }
}
