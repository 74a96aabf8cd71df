import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps } from '../../../ports.ts'
import { presentMission } from '../../missions/present-mission.ts'

/** A mission's escalations in the order in which they were written down. */
export const listEscalations: Operation<
  Contract['list_escalations'],
  Pick<Deps, 'missions'>
> = async (deps, { caller, params, query }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const page = await deps.missions.page(owner, 'escalation', query)
  const items = page.items.map(({ body }) => body)
  return ok(done({ items, next_cursor: page.next_cursor }))
}
