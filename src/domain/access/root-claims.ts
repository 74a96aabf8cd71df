import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import { claims, MAX_TOKEN_SECONDS } from './claims.ts'
import type { Claims, MintRequest } from './claims.ts'
import { conflict } from './scope.ts'

/**
 * The claims of a token that descends from no other: only whoever holds the signing key makes one.
 * `now` in unix seconds; a life over `MAX_TOKEN_SECONDS` is refused, not cut.
 */
export function rootClaims(
  tenant: string,
  request: MintRequest,
  now: number,
  jti: string,
): Result<Claims, Failure> {
  const { expires_in_s, mission, scope } = request
  if (!Number.isInteger(expires_in_s) || expires_in_s < 1 || expires_in_s > MAX_TOKEN_SECONDS)
    return refused('/expires_in_s', `must be 1 to ${MAX_TOKEN_SECONDS} whole seconds`)
  if (conflict(scope)) return err(failure('scopes_conflict'))
  const made = claims.safeParse({
    tenant,
    scope: [...new Set(scope)],
    jti,
    iat: now,
    exp: now + expires_in_s,
    ...(mission === undefined ? {} : { mission }),
  })
  if (made.success) return ok(made.data)
  const [issue] = made.error.issues
  return refused(`/${issue?.path.join('/') ?? ''}`, issue?.message ?? 'is not valid')
}

const refused = (pointer: string, detail: string) =>
  err(failure('invalid_input', { errors: [{ pointer, detail }] }))
