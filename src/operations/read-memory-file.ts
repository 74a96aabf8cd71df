import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Operation } from '../contract/operation.ts'
import { holds } from '../domain/access/scope.ts'
import { failure } from '../domain/failure.ts'
import { GIVEN_ARTIFACTS } from '../domain/fold/artifact.ts'
import { err, ok } from '../domain/result.ts'
import type { Deps } from '../ports.ts'
import { memoryFile } from './memory-files.ts'
import { presentMission } from './present-mission.ts'

/** One file of the memory, as the seed names it; a clean-context subagent reads the documents. */
export const readMemoryFile: Operation<
  Contract['read_memory_file'],
  Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report'>
> = async (deps, { caller, params }) => {
  const { missions } = deps
  const whole = holds(caller.scope, 'mission:read')
  if (!whole && !GIVEN_ARTIFACTS.some((name) => name === params.path))
    return err(failure('insufficient_scope', { detail: 'fold:read reaches the three documents' }))
  if (missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const file = await memoryFile({ ...deps, missions }, owner, params.path)
  return file.ok ? ok(done(file.value.bytes)) : file
}
