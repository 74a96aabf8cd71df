import { describe, expect, it } from 'vitest'
import { claimsProblem, MAX_TOKEN_SECONDS } from '../../../src/domain/access/claims.ts'
import { rootClaims } from '../../../src/domain/access/root-claims.ts'
import { SCOPES } from '../../../src/domain/access/scope.ts'

const NOW = 1_800_000_000
const JTI = 'abcdefgh12345678'

describe('rootClaims', () => {
  it('makes claims that are valid at once and have no parents', () => {
    const made = rootClaims('acme', { scope: ['admin'], expires_in_s: 60 }, NOW, JTI)
    expect(made).toEqual({
      ok: true,
      value: { tenant: 'acme', scope: ['admin'], jti: JTI, iat: NOW, exp: NOW + 60 },
    })
    expect(made.ok && claimsProblem(made.value, NOW)).toBeNull()
  })

  it('keeps the mission and names each scope once', () => {
    const request = {
      scope: ['memex:read', 'memex:read'] as const,
      mission: 'm1',
      expires_in_s: MAX_TOKEN_SECONDS,
    }
    expect(rootClaims('acme', request, NOW, JTI)).toMatchObject({
      ok: true,
      value: { scope: ['memex:read'], mission: 'm1', exp: NOW + MAX_TOKEN_SECONDS },
    })
  })

  it('refuses a lifetime that is not a whole number of seconds from 1 to 30 days', () => {
    for (const expires_in_s of [0, -1, 1.5, MAX_TOKEN_SECONDS + 1, NaN])
      expect(rootClaims('acme', { scope: ['admin'], expires_in_s }, NOW, JTI)).toMatchObject({
        ok: false,
        error: { code: 'invalid_input', errors: [{ pointer: '/expires_in_s' }] },
      })
  })

  it('refuses a malformed tenant, a malformed mission and an empty list of scopes', () => {
    const request = { scope: ['admin'] as const, expires_in_s: 60 }
    expect(rootClaims('a/b', request, NOW, JTI)).toMatchObject({
      error: { errors: [{ pointer: '/tenant' }] },
    })
    expect(rootClaims('acme', { ...request, mission: '..' }, NOW, JTI)).toMatchObject({
      error: { errors: [{ pointer: '/mission' }] },
    })
    expect(rootClaims('acme', { ...request, scope: [] }, NOW, JTI)).toMatchObject({
      error: { errors: [{ pointer: '/scope' }] },
    })
  })

  it('refuses a token for both fold:submit and fold:check, except with admin', () => {
    const both = ['fold:submit', 'fold:check'] as const
    expect(rootClaims('acme', { scope: both, expires_in_s: 60 }, NOW, JTI)).toMatchObject({
      error: { code: 'scopes_conflict' },
    })
    expect(rootClaims('acme', { scope: SCOPES, expires_in_s: 60 }, NOW, JTI).ok).toBe(true)
  })
})
