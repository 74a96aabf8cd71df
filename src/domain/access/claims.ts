import * as z from 'zod'
import { utf8 } from '../bytes.ts'
import { sha256 } from '../digest.ts'
import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import { identifier } from '../identifier.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import { conflict, holds, scope } from './scope.ts'
import type { Scope } from './scope.ts'

export const MAX_TOKEN_SECONDS = 30 * 24 * 3600
const MAX_ANCESTORS = 16

/** What a bearer token says (RFC 7519): `parents` are the jtis it was minted from, oldest first. */
export const claims = z.strictObject({
  tenant: identifier,
  scope: z.array(scope).min(1),
  jti: z.string().regex(/^[A-Za-z0-9_-]{8,64}$/),
  iat: z.int(),
  exp: z.int(),
  mission: identifier.optional(),
  parents: z
    .array(z.string().regex(/^[A-Za-z0-9_-]{8,64}$/))
    .max(MAX_ANCESTORS)
    .optional(),
})
export type Claims = z.infer<typeof claims>

export interface MintRequest {
  readonly scope: readonly Scope[]
  readonly mission?: string | undefined
  readonly expires_in_s: number
}

/**
 * The claims of a narrower token (attenuation): no scope that the parent lacks, no mission beside
 * the parent's, no life past the parent's. `now` in unix seconds.
 */
export function attenuate(
  parent: Claims,
  request: MintRequest,
  now: number,
  jti: string,
): Result<Claims, Failure> {
  const missing = request.scope.filter((wanted) => !holds(parent.scope, wanted))
  if (missing.length > 0)
    return err(failure('scope_not_held', { detail: `not held: ${missing.join(', ')}` }))
  if (conflict(request.scope)) return err(failure('scopes_conflict'))
  if (parent.mission !== undefined && (request.mission ?? parent.mission) !== parent.mission)
    return err(failure('mission_not_found'))
  const parents = [...(parent.parents ?? []), parent.jti]
  if (parents.length > MAX_ANCESTORS)
    return err(failure('scope_not_held', { detail: `at most ${MAX_ANCESTORS} ancestors` }))
  const mission = request.mission ?? parent.mission
  const exp = Math.min(now + Math.min(request.expires_in_s, MAX_TOKEN_SECONDS), parent.exp)
  return ok({
    tenant: parent.tenant,
    scope: [...new Set(request.scope)],
    jti,
    iat: now,
    exp,
    parents,
    ...(mission === undefined ? {} : { mission }),
  })
}

/** Claims that are well formed but must not be trusted: too long-lived, or already past. */
export function claimsProblem(token: Claims, now: number): Failure | null {
  if (token.exp - token.iat > MAX_TOKEN_SECONDS) return failure('invalid_token')
  if (token.iat > now + 60) return failure('invalid_token')
  if (token.exp <= now) return failure('token_expired')
  return null
}

const NONCE_LENGTH = 22

/**
 * The id of a token minted from another: a nonce, then a digest that binds it to its parent, so that
 * the parent can be recognised when it revokes, without a register of tokens.
 */
export const childJti = async (parent: string, nonce: string): Promise<string> =>
  nonce + (await sha256(utf8(`${parent}/${nonce}`))).slice(0, NONCE_LENGTH)

export async function isChildJti(parent: string, jti: string): Promise<boolean> {
  return jti === (await childJti(parent, jti.slice(0, NONCE_LENGTH)))
}
