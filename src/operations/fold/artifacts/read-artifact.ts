import type { Bytes } from '../../../domain/bytes.ts'
import { utf8Text } from '../../../domain/bytes.ts'
import { digestOfRef } from '../../../domain/digest.ts'
import { failure } from '../../../domain/failure.ts'
import type { Failure } from '../../../domain/failure.ts'
import { GIVEN_ARTIFACTS } from '../../../domain/fold/lifecycle/artifact.ts'
import type { ArtifactName, Artifacts } from '../../../domain/fold/lifecycle/artifact.ts'
import type { FoldSources } from '../../../domain/fold/lifecycle/prompt.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Result } from '../../../domain/result.ts'
import type { Deps, Owner } from '../../../ports.ts'
import { readExcerpt } from '../../memex/read-excerpt.ts'

type ReadDeps = Pick<Deps, 'memex' | 'excerptCache' | 'defer' | 'report'>

/** The bytes of one document, hashed again; `artifact_missing` where the mission has none. */
export async function readArtifact(
  deps: ReadDeps,
  owner: Owner,
  artifacts: Artifacts,
  name: ArtifactName,
): Promise<Result<Bytes, Failure>> {
  const artifact = artifacts[name]
  if (artifact === undefined) return err(missing([name]))
  return readExcerpt(deps, owner, digestOfRef(artifact.ref))
}

/** The three documents that a fold is made from, or which of them are missing. */
export async function readSources(
  deps: ReadDeps,
  owner: Owner,
  artifacts: Artifacts,
): Promise<Result<FoldSources, Failure>> {
  const absent = GIVEN_ARTIFACTS.filter((name) => artifacts[name] === undefined)
  if (absent.length > 0) return err(missing(absent))
  const texts: string[] = []
  for (const bytes of await Promise.all(
    GIVEN_ARTIFACTS.map((name) => readArtifact(deps, owner, artifacts, name)),
  )) {
    if (!bytes.ok) return bytes
    texts.push(utf8Text(bytes.value) ?? '')
  }
  const [mission_md = '', map_md = '', findings_md = ''] = texts
  return ok({ mission_md, map_md, findings_md })
}

const missing = (names: readonly ArtifactName[]): Failure =>
  failure('artifact_missing', {
    detail: `missing: ${names.join(', ')}`,
    members: { missing: names },
  })
