import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps } from '../../../ports.ts'
import { documentOutOfReach } from '../../fold/artifacts/evidence-reach.ts'
import { presentMission } from '../../missions/present-mission.ts'
import { fileAt } from './memory-tree.ts'

/** One file of the memory, as the seed names it; a clean-context subagent reads the documents. */
export const readMemoryFile: Operation<
  Contract['read_memory_file'],
  Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report'>
> = async (deps, { caller, params }) => {
  const { missions } = deps
  const beyond = documentOutOfReach(caller, params.path)
  if (beyond !== null) return err(beyond)
  if (missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const file = await fileAt({ ...deps, missions }, owner, params.path)
  return file.ok ? ok(done(file.value.bytes)) : file
}
