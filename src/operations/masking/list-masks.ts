import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/** The masking log across the tenant's missions, newest first, by tool or since a time. */
export const maskingLog: Operation<
  Contract['masking_log'],
  Pick<Deps, 'logs' | 'missions'>
> = async (deps, { caller, query }) => {
  if (deps.logs === null || deps.missions === null) return err(failure('storage_not_configured'))
  const page = await deps.logs.masking(caller.tenant, { ...query, mission: caller.mission })
  const items = page.items.map(({ table: _table, tenant: _tenant, ...entry }) => ({
    ...entry,
    items: [...entry.items],
  }))
  return ok(done({ items, next_cursor: page.next_cursor }))
}
