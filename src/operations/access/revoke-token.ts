import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { isChildJti, MAX_TOKEN_SECONDS } from '../../domain/access/claims.ts'
import { holds } from '../../domain/access/scope.ts'
import { failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/**
 * Revokes a token and, since they name it as a parent, all that were minted from it. A token may
 * revoke itself and those that it minted; `admin` may revoke any of the tenant.
 */
export const revokeToken: Operation<
  Contract['revoke_token'],
  Pick<Deps, 'revocations' | 'now'>
> = async (deps, { caller, params }) => {
  if (deps.revocations === null) return err(failure('storage_not_configured'))
  const { jti } = params
  const own = jti === caller.jti || (await isChildJti(caller.jti, jti))
  const admin = holds(caller.scope, 'admin') && caller.mission === undefined
  if (!own && !admin)
    return err(failure('insufficient_scope', { detail: 'not your token nor one that you minted' }))
  // The token itself is not at hand, so its list entry lives as long as any token may.
  const expires = Math.floor(deps.now() / 1000) + MAX_TOKEN_SECONDS
  await deps.revocations.revoke(caller.tenant, jti, expires)
  return ok(done({ revoked: true }))
}
