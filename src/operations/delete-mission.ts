import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Operation } from '../contract/operation.ts'
import { failure } from '../domain/failure.ts'
import { isoTime } from '../domain/identifier.ts'
import { err, ok } from '../domain/result.ts'
import type { Deps } from '../ports.ts'

/** Marks a mission erased; its object then deletes excerpts, log rows and itself, and resumes. */
export const deleteMission: Operation<
  Contract['delete_mission'],
  Pick<Deps, 'missions' | 'now'>
> = async (deps, { caller, params }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await deps.missions.read(owner)
  if (view === null) return err(failure('mission_not_found'))
  const at = isoTime(deps.now())
  const erased = await deps.missions.apply({ ...owner, at, event: { type: 'erased' } })
  // A mission that is already being erased gives the same answer: DELETE is idempotent.
  if (!erased.ok && erased.error.code !== 'mission_erased') return erased
  return ok(done({ erasing: true }, 'accepted'))
}
