import { failure } from '../failure.ts'
import { ok, err } from '../result.ts'
import type { Advance } from './parking.ts'

/** Interim: replaced by the fold's own phase rules. */
export const advance: Advance = (state, to) => {
  if (state.status === 'halted') return err(failure('mission_halted'))
  const leaves = to === 'synthesize' || to === 'completed'
  if (leaves && state.fold !== 'accepted') return err(failure('gate_open'))
  const status = to === 'completed' ? 'completed' : state.status
  return ok({ state: { ...state, phase: to, status } })
}
