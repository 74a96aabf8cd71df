import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { missionAnswer } from '../missions/mission-answer.ts'

/**
 * Moves a mission forward; the same phase again answers the same. A caller's time counts as far as it
 * is past: a mission's time never runs back, so one to come would stand over all that follows.
 */
export const movePhase: Operation<
  Contract['move_phase'],
  Pick<Deps, 'missions' | 'memex' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const now = isoTime(deps.now())
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: body.at !== undefined && body.at < now ? body.at : now,
    event: { type: 'phase_moved', to: body.to },
    ...(body.event_id === undefined ? {} : { once: `phase ${body.event_id}` }),
  })
  return state.ok ? ok(done(missionAnswer(deps, state.value))) : state
}
