import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { costOf } from '../../domain/meter/cost.ts'
import type { CostPoint } from '../../domain/meter/cost.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps, Missions, Owner } from '../../ports.ts'
import { eachRecord } from '../each-record.ts'
import { presentMission } from '../missions/present-mission.ts'

/** What a session cost call by call, raw and masked, in uncached input tokens (DESIGN section 5). */
export const sessionCost: Operation<Contract['session_cost'], Pick<Deps, 'missions'>> = async (
  deps,
  { caller, params },
) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const points = await pointsOf(deps.missions, owner)
  const cost = costOf(view.value.state.masking.cost, points)
  return ok(done({ ...cost, growth: { ...cost.growth }, series: [...cost.series] }))
}

async function pointsOf(missions: Missions, owner: Owner): Promise<CostPoint[]> {
  const points: CostPoint[] = []
  for await (const { body } of eachRecord(missions, owner, 'cost')) points.push(body)
  return points
}
