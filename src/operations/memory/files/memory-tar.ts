import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import { tarStream } from '../../../domain/memory/files/tar.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps } from '../../../ports.ts'
import { presentMission } from '../../missions/present-mission.ts'
import { eachFile } from './memory-tree.ts'

/** The whole memory as an archive that is made while it is read: one file at a time in memory. */
export const memoryTar: Operation<
  Contract['memory_tar'],
  Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report'>
> = async (deps, { caller, params }) => {
  const { missions } = deps
  if (missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const name = `${params.mission}-memory.tar`
  return ok({
    ...done(tarStream(eachFile({ ...deps, missions }, owner))),
    headers: { 'content-disposition': `attachment; filename="${name}"` },
  })
}
