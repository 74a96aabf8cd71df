import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { clearTexts } from '../memex/scan-evidence.ts'
import { missionAnswer } from './mission-answer.ts'

/** Opens a mission, or changes the settings that are named. */
export const putMission: Operation<
  Contract['put_mission'],
  Pick<Deps, 'missions' | 'memex' | 'loadSecrets' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const secrets = await clearTexts(deps, [
    ['/objective', body.objective],
    ['/success_criteria', body.success_criteria],
  ])
  if (secrets !== null) return err(secrets)
  const owner = { tenant: caller.tenant, mission: params.mission }
  const at = isoTime(deps.now())
  const event = { type: 'configured', settings: body } as const
  const state = await deps.missions.apply({ ...owner, at, event })
  if (!state.ok) return state
  const created = state.value.version === 1
  return ok(done(missionAnswer(deps, state.value), created ? 'created' : 'ok'))
}
