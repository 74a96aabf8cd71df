import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { missionAnswer } from './mission-answer.ts'
import { presentMission } from './present-mission.ts'

/** A mission as it stands. */
export const getMission: Operation<
  Contract['get_mission'],
  Pick<Deps, 'missions' | 'memex'>
> = async (deps, { caller, params }) => {
  const view = await presentMission(deps, { tenant: caller.tenant, mission: params.mission })
  return view.ok ? ok(done(missionAnswer(deps, view.value.state))) : view
}
