import type { Failure } from '../../failure.ts'
import { failure } from '../../failure.ts'
import type { Core } from '../../mission/core.ts'
import { PHASES } from '../../mission/phases.ts'
import type { Phase } from '../../mission/phases.ts'
import type { Step } from '../../mission/step.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import type { HasFold } from './folding.ts'
import { exitGate } from './gate.ts'

/** Whether a phase comes behind abstract, which no mission leaves but with its fold. */
export const hasLeftAbstract = (phase: Phase): boolean => rank(phase) > rank('abstract')

const rank = (phase: Phase): number => PHASES.indexOf(phase)

/**
 * A mission in a later phase. The same phase again changes nothing, an earlier one is refused, and
 * whoever passes abstract, also in one step from before it, finds the exit gate closed until all of
 * its six items hold: `phase_backwards`, `mission_halted`, `mission_completed`, `gate_open`.
 */
export function movePhase<S extends Core & HasFold>(state: S, to: Phase): Result<Step<S>, Failure> {
  if (to === state.phase) return ok({ state })
  if (rank(to) < rank(state.phase))
    return err(failure('phase_backwards', { detail: `the mission is in ${state.phase}` }))
  if (state.status === 'halted') return err(failure('mission_halted'))
  if (state.status === 'completed') return err(failure('mission_completed'))
  const passesAbstract = !hasLeftAbstract(state.phase) && hasLeftAbstract(to)
  const gate = exitGate(state)
  if (passesAbstract && !gate.holds) {
    const open = gate.items.filter((item) => !item.holds)
    return err(
      failure('gate_open', {
        detail: `open: ${open.map((item) => item.id).join(', ')}`,
        members: { open },
      }),
    )
  }
  const status = to === 'completed' ? 'completed' : state.status
  return ok({ state: { ...state, phase: to, status } })
}
