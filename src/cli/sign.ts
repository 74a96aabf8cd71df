import { randomBytes } from 'node:crypto'
import { base64url, SignJWT } from 'jose'
import type { Claims, MintRequest } from '../domain/access/claims.ts'
import { rootClaims } from '../domain/access/root-claims.ts'
import type { SigningKey } from '../domain/access/signing-keys.ts'
import { CommandError, EXIT } from './terminal/exit.ts'

interface SignedToken {
  readonly token: string
  readonly claims: Claims
}

/** Signs a token with the first of the keys (HS256), offline. `now` in unix seconds. */
export async function signToken(
  keys: readonly SigningKey[],
  tenant: string,
  request: MintRequest,
  now: number,
): Promise<SignedToken> {
  const [key] = keys
  if (key === undefined) throw new CommandError(EXIT.usage, 'no signing key')
  const made = rootClaims(tenant, request, now, randomBytes(16).toString('base64url'))
  if (!made.ok) throw new CommandError(EXIT.usage, refusal(made.error))
  const token = await new SignJWT({ ...made.value })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid, typ: 'JWT' })
    .sign(base64url.decode(key.secret))
  return { token, claims: made.value }
}

type Refusal = Extract<ReturnType<typeof rootClaims>, { ok: false }>['error']

function refusal(failure: Refusal): string {
  if (failure.code === 'scopes_conflict')
    return 'fold:submit and fold:check are not given together, except with admin'
  const [error] = failure.errors ?? []
  return error === undefined ? failure.code : `${error.pointer.slice(1)} ${error.detail}`
}
