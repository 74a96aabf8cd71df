import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { ArtifactName } from '../../../domain/fold/lifecycle/artifact.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps } from '../../../ports.ts'
import { presentMission } from '../../missions/present-mission.ts'
import { documentOutOfReach } from './evidence-reach.ts'
import { readArtifact } from './read-artifact.ts'

/** A document of the mission, byte for byte; a clean-context subagent reads the given ones. */
export const getArtifact: Operation<
  Contract['get_artifact'],
  Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report'>
> = async (deps, { caller, params }) => {
  const beyond = documentOutOfReach(caller, params.artifact)
  if (beyond !== null) return err(beyond)
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const { artifacts } = view.value.state.folding
  const bytes = await readArtifact(deps, owner, artifacts, params.artifact as ArtifactName)
  return bytes.ok ? ok(done(bytes.value)) : bytes
}
