import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { attenuate, childJti } from '../../domain/access/claims.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/** A token that can do no more than the caller's own (DESIGN section 9). */
export const mintToken: Operation<
  Contract['mint_token'],
  Pick<Deps, 'signer' | 'now' | 'newId'>
> = async (deps, { caller, body }) => {
  if (deps.signer === null) return err(failure('signing_keys_missing'))
  const jti = await childJti(caller.jti, deps.newId())
  const claims = attenuate(caller, body, Math.floor(deps.now() / 1000), jti)
  if (!claims.ok) return claims
  const token = await deps.signer.sign(claims.value)
  return ok(done({ token, jti, expires_at: isoTime(claims.value.exp * 1000) }, 'created'))
}
