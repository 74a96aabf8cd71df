import type { Bytes } from '../../domain/bytes.ts'
import { formatRef, sha256 as hash } from '../../domain/digest.ts'
import type { Sha256 } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'

type ReadDeps = Pick<Deps, 'memex' | 'excerptCache' | 'defer' | 'report'>

/**
 * The exact bytes of an excerpt: from the edge cache or R2, hashed again whichever it was. Touches
 * neither the mission's object nor D1. `excerpt_not_found`, `excerpt_corrupt`.
 */
export async function readExcerpt(
  deps: ReadDeps,
  owner: Owner,
  sha256: Sha256,
): Promise<Result<Bytes, Failure>> {
  if (deps.memex === null) return err(failure('storage_not_configured'))
  const cached = await deps.excerptCache?.get(owner, sha256)
  if (cached && (await hash(cached)) === sha256) return ok(cached)
  const excerpt = await deps.memex.get(owner, sha256)
  if (excerpt === null) return err(failure('excerpt_not_found'))
  if ((await hash(excerpt.bytes)) !== sha256) {
    deps.report({ level: 'error', event: 'excerpt_corrupt', ref: formatRef(sha256), ...owner })
    return err(failure('excerpt_corrupt'))
  }
  if (deps.excerptCache !== null) deps.defer(deps.excerptCache.put(owner, sha256, excerpt.bytes))
  return ok(excerpt.bytes)
}

/** The size of an excerpt that is there, without its bytes. */
export async function seeExcerpt(
  deps: Pick<Deps, 'memex'>,
  owner: Owner,
  sha256: Sha256,
): Promise<Result<number, Failure>> {
  if (deps.memex === null) return err(failure('storage_not_configured'))
  const excerpt = await deps.memex.head(owner, sha256)
  return excerpt === null ? err(failure('excerpt_not_found')) : ok(excerpt.size)
}
