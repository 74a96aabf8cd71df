import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { FOLD_RATIO_ALARM, FOLD_RATIO_TARGET } from '../../domain/fold/judge/ratio.ts'
import { RATIO_WINDOW, ratioPattern } from '../../domain/fold/judge/telemetry.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/**
 * How much the tenant's folds compressed, newest first, and the seed's advice where it is a pattern in
 * the last five, however many of them are listed.
 */
export const foldRatio: Operation<Contract['fold_ratio'], Pick<Deps, 'logs' | 'missions'>> = async (
  deps,
  { caller, query },
) => {
  if (deps.logs === null || deps.missions === null) return err(failure('storage_not_configured'))
  const { mission, tenant } = caller
  const [rows, last] = await Promise.all([
    deps.logs.folds(tenant, { mission, limit: query.limit }),
    deps.logs.folds(tenant, { mission, measured: true, limit: RATIO_WINDOW }),
  ])
  const items = rows.map((row) => ({
    mission: row.mission,
    at: row.at,
    accepted: row.accepted === 1,
    fold_tokens: row.fold_tokens,
    trajectory_tokens: row.trajectory_tokens,
    fold_ratio: row.fold_ratio,
  }))
  const pattern = ratioPattern(last.map((row) => row.fold_ratio))
  return ok(done({ items, target: FOLD_RATIO_TARGET, alarm: FOLD_RATIO_ALARM, ...pattern }))
}
