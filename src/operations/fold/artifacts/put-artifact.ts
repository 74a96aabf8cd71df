import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { utf8ErrorOffset } from '../../../domain/bytes.ts'
import type { Bytes } from '../../../domain/bytes.ts'
import { formatRef, sha256 } from '../../../domain/digest.ts'
import type { Sha256 } from '../../../domain/digest.ts'
import { failure } from '../../../domain/failure.ts'
import { GIVEN_ARTIFACTS } from '../../../domain/fold/lifecycle/artifact.ts'
import type { Artifact, GivenArtifact } from '../../../domain/fold/lifecycle/artifact.ts'
import { isoTime } from '../../../domain/identifier.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps, Memex, Owner } from '../../../ports.ts'
import { removeIfErased } from '../../memex/remove-if-erased.ts'
import { clearEvidence } from '../../memex/scan-evidence.ts'

/** Keeps a document of the mission in the Memex, then tells the mission where it is. */
export const putArtifact: Operation<
  Contract['put_artifact'],
  Pick<Deps, 'missions' | 'memex' | 'loadSecrets' | 'report' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null || deps.memex === null) return err(failure('storage_not_configured'))
  const offset = utf8ErrorOffset(body)
  if (offset !== null)
    return err(failure('invalid_utf8', { detail: `at byte ${offset}`, members: { offset } }))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const name = GIVEN_ARTIFACTS.find((given) => given === params.artifact)
  if (name === undefined)
    return err(failure('not_found', { hint: 'fold.md comes from an accepted fold.' }))
  const clean = await clearEvidence(deps, caller, body)
  if (!clean.ok) return clean
  const at = isoTime(deps.now())
  const { artifact, created } = await keepArtifact(deps.memex, owner, name, body, at)
  const state = await deps.missions.apply({
    ...owner,
    at,
    event: { type: 'artifact_given', artifact },
  })
  await removeIfErased(deps, owner, created, state)
  return state.ok ? ok(done({ ...artifact, name })) : state
}

interface KeptArtifact {
  readonly artifact: Artifact
  /** What this call put into the Memex that was not there before. */
  readonly created: readonly Sha256[]
}

/** Puts a document's bytes into the Memex; the mission is told of it next. */
export async function keepArtifact(
  memex: Memex,
  owner: Owner,
  name: GivenArtifact,
  bytes: Bytes,
  at: string,
): Promise<KeptArtifact> {
  const digest = await sha256(bytes)
  const kind = name === 'findings.md' ? 'findings' : 'artifact'
  const put = await memex.put(owner, digest, bytes, { kind, source: name, stored_at: at })
  return {
    artifact: { name, ref: formatRef(digest), bytes: bytes.length },
    created: put === 'created' ? [digest] : [],
  }
}
