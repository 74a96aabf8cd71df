import { claimsProblem } from '../domain/access/claims.ts'
import type { Claims } from '../domain/access/claims.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'
import { err, ok } from '../domain/result.ts'
import type { Deps } from '../ports.ts'

// RFC 6750 section 2.1; the name of a scheme has no case (RFC 9110 section 11.1).
const BEARER = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Who calls: the claims of the bearer token (RFC 6750), or why it is not accepted. */
export async function authenticate(
  deps: Pick<Deps, 'signer' | 'now'>,
  header: string | undefined,
): Promise<Result<Claims, Failure>> {
  if (deps.signer === null) return err(failure('signing_keys_missing'))
  if (header === undefined) return err(failure('unauthorized'))
  const token = BEARER.exec(header)?.[1]
  const claims = token === undefined ? null : await deps.signer.verify(token)
  // Which check failed is not said: it would help only whoever forges.
  if (claims === null) return err(failure('invalid_token'))
  const problem = claimsProblem(claims, Math.floor(deps.now() / 1000))
  return problem === null ? ok(claims) : err(problem)
}

/**
 * Whether the token or one it was minted from is revoked. `fresh` asks the store itself: what
 * touches a mission's object; reads of evidence may trust a list that is up to 60 s old.
 */
export async function isRevoked(
  deps: Pick<Deps, 'revocations'>,
  claims: Claims,
  fresh: boolean,
): Promise<boolean> {
  if (deps.revocations === null) return false
  const jtis = [claims.jti, ...(claims.parents ?? [])]
  return deps.revocations.anyRevoked(claims.tenant, jtis, fresh)
}
