import type { Claims } from '../../../domain/access/claims.ts'
import { holds } from '../../../domain/access/scope.ts'
import { utf8Text } from '../../../domain/bytes.ts'
import { formatRef } from '../../../domain/digest.ts'
import type { Sha256 } from '../../../domain/digest.ts'
import { failure } from '../../../domain/failure.ts'
import type { Failure } from '../../../domain/failure.ts'
import { GIVEN_ARTIFACTS } from '../../../domain/fold/lifecycle/artifact.ts'
import type { Deps, Owner } from '../../../ports.ts'
import { citedRefs } from '../../memex/resolve-refs.ts'
import { readArtifact } from './read-artifact.ts'

/**
 * Whether a token reaches an excerpt: `memex:read` reaches all of the mission; the clean-context
 * subagent's `fold:read` only those that findings.md cites (DESIGN section 9).
 */
export async function reachesExcerpt(
  deps: Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report'>,
  caller: Claims,
  owner: Owner,
  sha256: Sha256,
): Promise<boolean> {
  if (holds(caller.scope, 'memex:read')) return true
  return (await citedExcerpts(deps, owner)).includes(formatRef(sha256))
}

/**
 * Why a token may not read a document or memory file, or null: `mission:read` reads all of them, the
 * clean-context subagent's `fold:read` only the three that a fold is made from (DESIGN section 9).
 */
export const documentOutOfReach = (caller: Claims, name: string): Failure | null =>
  holds(caller.scope, 'mission:read') || GIVEN_ARTIFACTS.some((given) => given === name)
    ? null
    : failure('insufficient_scope', { detail: `fold:read reaches ${GIVEN_ARTIFACTS.join(', ')}` })

/** The refs that the mission's findings.md cites; none where there is no such document. */
export async function citedExcerpts(
  deps: Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report'>,
  owner: Owner,
): Promise<readonly string[]> {
  const view = await deps.missions?.read(owner)
  if (!view) return []
  const findings = await readArtifact(deps, owner, view.state.folding.artifacts, 'findings.md')
  return findings.ok ? citedRefs(utf8Text(findings.value) ?? '') : []
}
