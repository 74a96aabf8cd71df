import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'

/**
 * Marks a mission erased; its object then deletes excerpts, log rows and itself, and resumes. Asked
 * again it sweeps again. A mission that was never opened may have excerpts all the same: those of a
 * write that died before it opened it.
 */
export const deleteMission: Operation<
  Contract['delete_mission'],
  Pick<Deps, 'missions' | 'memex' | 'now'>
> = async (deps, { caller, params }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  if ((await deps.missions.read(owner)) === null && !(await holdsExcerpts(deps, owner)))
    return err(failure('mission_not_found'))
  const at = isoTime(deps.now())
  const erased = await deps.missions.apply({ ...owner, at, event: { type: 'erased' } })
  return erased.ok ? ok(done({ erasing: true }, 'accepted')) : erased
}

const holdsExcerpts = async ({ memex }: Pick<Deps, 'memex'>, owner: Owner): Promise<boolean> =>
  memex !== null && (await memex.list(owner, { limit: 1 })).items.length > 0
