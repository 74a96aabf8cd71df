import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/** The tenant's missions as D1 knows them; a token bound to one mission sees that one. */
export const listMissions: Operation<
  Contract['list_missions'],
  Pick<Deps, 'logs' | 'missions'>
> = async (deps, { caller, query }) => {
  if (deps.logs === null || deps.missions === null) return err(failure('storage_not_configured'))
  const page = await deps.logs.missions(caller.tenant, { ...query, mission: caller.mission })
  const items = page.items.map((row) => ({
    id: row.mission,
    status: row.status as 'active',
    phase: row.phase as 'assess',
    fold: row.fold as 'none',
    model: row.model,
    window_tokens: row.window_tokens,
    percent: row.percent,
    zone: row.zone as 'green' | null,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }))
  return ok(done({ items, next_cursor: page.next_cursor }))
}
