import type { Claims, MintRequest } from '../../src/domain/access/claims.ts'
import { rootClaims } from '../../src/domain/access/root-claims.ts'
import type { TokenSigner } from '../../src/ports.ts'

/** A token that descends from no other, as `foldex token` signs one. `now` in unix ms. */
export async function rootToken(
  signer: TokenSigner,
  tenant: string,
  request: Partial<MintRequest> = {},
  now = Date.now(),
): Promise<string> {
  const jti = crypto.randomUUID()
  const wanted = { scope: ['admin'] as const, expires_in_s: 3600, ...request }
  const made = rootClaims(tenant, wanted, Math.floor(now / 1000), jti)
  if (!made.ok) throw new Error(JSON.stringify(made.error))
  return await signer.sign(made.value)
}

/** What a token says, without a look at its signature. */
export const claimsOf = (token: string): Claims =>
  JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))) as Claims
