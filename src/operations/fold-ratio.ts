import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Operation } from '../contract/operation.ts'
import { failure } from '../domain/failure.ts'
import { FOLD_RATIO_ALARM, FOLD_RATIO_TARGET } from '../domain/fold/ratio.ts'
import { ratioPattern } from '../domain/fold/telemetry.ts'
import { err, ok } from '../domain/result.ts'
import type { Deps } from '../ports.ts'

/** How much the tenant's folds compressed, newest first, and the seed's advice where it is a pattern. */
export const foldRatio: Operation<Contract['fold_ratio'], Pick<Deps, 'logs' | 'missions'>> = async (
  deps,
  { caller, query },
) => {
  if (deps.logs === null || deps.missions === null) return err(failure('storage_not_configured'))
  const rows = await deps.logs.folds(caller.tenant, query.limit)
  const reached = rows.filter((row) => (caller.mission ?? row.mission) === row.mission)
  const items = reached.map((row) => ({
    mission: row.mission,
    at: row.at,
    accepted: row.accepted === 1,
    fold_tokens: row.fold_tokens,
    trajectory_tokens: row.trajectory_tokens,
    fold_ratio: row.fold_ratio,
  }))
  const pattern = ratioPattern(items.map((item) => item.fold_ratio))
  return ok(done({ items, target: FOLD_RATIO_TARGET, alarm: FOLD_RATIO_ALARM, ...pattern }))
}
