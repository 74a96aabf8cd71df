import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { exitGate as gateOf } from '../../domain/fold/lifecycle/gate.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { presentMission } from '../missions/present-mission.ts'

/** The six items of the exit gate, each with its evidence. */
export const exitGate: Operation<Contract['exit_gate'], Pick<Deps, 'missions'>> = async (
  deps,
  { caller, params },
) => {
  const view = await presentMission(deps, { tenant: caller.tenant, mission: params.mission })
  if (!view.ok) return view
  const { holds, items } = gateOf(view.value.state)
  return ok(done({ holds, items: items.map((item) => ({ ...item })) }))
}
