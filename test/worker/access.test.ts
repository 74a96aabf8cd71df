import { beforeAll, describe, expect, test } from 'vitest'
import { contract } from '../../src/contract/contract.ts'
import type { OperationName } from '../../src/contract/contract.ts'
import { unreachable } from '../../src/contract/operation.ts'
import type { OperationRow } from '../../src/contract/operation.ts'
import { holds, SCOPES } from '../../src/domain/access/scope.ts'
import type { Scope } from '../../src/domain/access/scope.ts'
import type { Api } from '../support/api.ts'
import { freshOwner } from '../support/fresh.ts'
import { SAMPLES } from '../support/samples.ts'
import { claimsOf, rootToken } from '../support/tokens.ts'
import { signer, workerApi } from '../support/worker.ts'

const GUARDED = (Object.keys(contract) as OperationName[]).filter(
  (name) => contract[name].scope !== 'none',
)
const OF_MISSION = GUARDED.filter((name) => contract[name].path.includes('{mission}'))

describe('every guarded route', () => {
  const { tenant, mission } = freshOwner()
  const now = Math.floor(Date.now() / 1000)
  const base = { tenant, scope: ['admin'] as Scope[], iat: now - 60, exp: now + 600 }
  const tokens: Record<string, string | null> = {}
  let api: Api

  beforeAll(async () => {
    api = await workerApi(tenant)
    const sign = (claims: object) =>
      signer.sign({ ...base, jti: crypto.randomUUID(), ...claims } as never)
    const good = await sign({})
    const flipped = good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A')
    const revoked = await sign({ jti: 'revoked-token' })
    const child = await sign({ parents: ['revoked-token'] })
    Object.assign(tokens, {
      missing: null,
      garbage: 'not.a.token',
      'signed by nobody': flipped,
      'of two tokens': `${good}, Bearer ${good}`,
      expired: await sign({ exp: now - 1 }),
      'without exp': await sign({ exp: undefined }),
      'with exp as a text': await sign({ exp: '9999999999' }),
      'of the future': await sign({ iat: now + 3600, exp: now + 7200 }),
      'that lives too long': await sign({ exp: now + 40 * 24 * 3600 }),
      'without a tenant': await sign({ tenant: undefined }),
      'of an unknown scope': await sign({ scope: ['root'] }),
      revoked,
      'whose parent is revoked': child,
    })
    await api.ok('revoke_token', { jti: 'revoked-token' })
  })

  test.each([
    ['missing', 'unauthorized'],
    ['garbage', 'invalid_token'],
    ['signed by nobody', 'invalid_token'],
    ['of two tokens', 'invalid_token'],
    ['expired', 'token_expired'],
    ['without exp', 'invalid_token'],
    ['with exp as a text', 'invalid_token'],
    ['of the future', 'invalid_token'],
    ['that lives too long', 'invalid_token'],
    ['without a tenant', 'invalid_token'],
    ['of an unknown scope', 'invalid_token'],
    ['revoked', 'token_revoked'],
    ['whose parent is revoked', 'token_revoked'],
  ])('refuses a token (%s) with 401 %s', async (which, code) => {
    for (const name of GUARDED) {
      const token = tokens[which] as string
      const problem = await api.refused(name, { mission, ...SAMPLES[name], token })
      expect({ name, status: problem.status, code: problem.code }).toEqual({
        name,
        status: 401,
        code,
      })
    }
    expect(await api.refused('get_mission', { mission })).toMatchObject({
      code: 'mission_not_found',
    })
  })

  test('refuses other schemes, and a token anywhere but in its header', async () => {
    const good = await rootToken(signer, tenant)
    for (const authorization of [
      `Basic ${good}`,
      `Token ${good}`,
      'Bearer',
      'Bearer ',
      `Bearer ${good}=`,
    ]) {
      const sent = { mission, token: null, headers: { authorization } }
      const problem = await api.refused('get_mission', sent)
      expect(problem.code).toBe('invalid_token')
    }
    // RFC 9110 section 11.1: the name of a scheme has no case.
    for (const authorization of [`bearer ${good}`, `BEARER  ${good}`]) {
      const sent = { mission, token: null, headers: { authorization } }
      expect((await api.refused('get_mission', sent)).code).toBe('mission_not_found')
    }
    for (const key of ['token', 'access_token']) {
      const sent = { mission, token: null, query: { [key]: good } }
      expect((await api.refused('get_mission', sent)).code).toBe('unauthorized')
    }
  })

  test.each(GUARDED.filter((name) => contract[name].scope !== 'any'))(
    '%s needs its own scope, and no other suffices',
    async (name) => {
      const { scope, alsoScope }: OperationRow = contract[name]
      for (const held of SCOPES) {
        const narrow = await workerApi(tenant, { scope: [held] })
        const id = `${mission}.${held.replace(':', '-')}`
        const response = await narrow.send(name, { mission: id, ...SAMPLES[name] })
        const refused = response.status === 403
        const may = holds([held], scope as Scope) || held === alsoScope
        expect({ held, refused }).toEqual({ held, refused: !may })
        if (refused) expect(await response.json()).toMatchObject({ code: 'insufficient_scope' })
      }
    },
  )

  test.each(OF_MISSION)(
    '%s answers a token of another mission as if its mission did not exist',
    async (name) => {
      await api.ok('put_mission', { mission: 'there', body: {} })
      const bound = await workerApi(tenant, { mission: `${mission}.own` })
      const row: OperationRow = contract[name]
      const [there, missing] = await Promise.all(
        ['there', 'none'].map(async (other) => {
          const response = await bound.send(name, { mission: other, ...SAMPLES[name] })
          return await response.text()
        }),
      )
      expect(there).toBe(missing)
      expect(JSON.parse(there ?? '')).toMatchObject({ status: 404, code: unreachable(row) })
    },
  )
})

describe("another tenant's mission", () => {
  const theirs = freshOwner()
  const mission = 'shared-name'
  let before: unknown

  beforeAll(async () => {
    const owner = await workerApi(theirs.tenant)
    await owner.ok('put_mission', { mission, body: { objective: 'Theirs.', window_tokens: 9000 } })
    for (const name of ['mask', 'write_excerpt', 'put_artifact', 'report_context'] as const)
      await owner.ok(name, { mission, ...SAMPLES[name] })
    before = await owner.ok('get_mission', { mission })
  })

  /** An answer without what differs between any two calls. */
  const plain = (text: string, name: string): string =>
    text
      .replaceAll(name, 'NAME')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/"(id|token|jti)":"[^"]{22,}"/g, '"$1":"…"')

  test.each(GUARDED)(
    '%s answers the same bytes for it as for a mission that does not exist',
    async (name) => {
      const answer = async (id: string) => {
        const stranger = await workerApi(freshOwner().tenant)
        const response = await stranger.send(name, { mission: id, ...SAMPLES[name] })
        const { status } = response
        return { status, text: plain(await response.text(), id) }
      }
      // The very name of the other tenant's mission, and one that nobody has.
      const there = await answer(mission)
      expect(there).toEqual(await answer('nobody-has-it'))
      if (contract[name].method === 'GET' && OF_MISSION.includes(name))
        expect(there.status).toBe(404)
    },
  )

  test('it is unchanged after all these requests', async () => {
    const owner = await workerApi(theirs.tenant)
    expect(await owner.ok('get_mission', { mission })).toEqual(before)
  })
})

describe('minting', () => {
  const { tenant, mission } = freshOwner()
  const mint = (api: Api, body: object) => api.refused('mint_token', { body })

  test('a minted token holds nothing that its minter lacks', async () => {
    const api = await workerApi(tenant, { scope: ['memex:read', 'fold:check'], mission })
    const wanted = { scope: ['memex:read'], expires_in_s: 60 }
    expect(await mint(api, { ...wanted, scope: ['memex:write'] })).toMatchObject({
      status: 403,
      code: 'scope_not_held',
    })
    expect(await mint(api, { ...wanted, mission: 'other' })).toMatchObject({
      code: 'mission_not_found',
    })
    const admin = await workerApi(tenant)
    expect(
      await mint(admin, { scope: ['fold:submit', 'fold:check'], expires_in_s: 60 }),
    ).toMatchObject({ status: 422, code: 'scopes_conflict' })
    const { token } = await api.ok('mint_token', { body: { ...wanted, expires_in_s: 30 * 86_400 } })
    const claims = claimsOf(token)
    expect(claims).toMatchObject({ tenant, mission, scope: ['memex:read'] })
    expect(claims.exp - claims.iat).toBeLessThanOrEqual(3600)
  })

  test('a token is revoked by its minter and by no stranger, together with the tokens minted from it', async () => {
    const parent = await workerApi(tenant, { scope: ['mission:read'] })
    const minted = await parent.ok('mint_token', {
      body: { scope: ['mission:read'], expires_in_s: 60 },
    })
    const sent = { mission, token: minted.token }
    const grandchild = await parent.ok('mint_token', {
      ...sent,
      body: { scope: ['mission:read'], expires_in_s: 60 },
    })
    const stranger = await workerApi(tenant, { scope: ['mission:read'] })
    expect(await stranger.refused('revoke_token', { jti: minted.jti })).toMatchObject({
      code: 'insufficient_scope',
    })
    expect((await parent.refused('get_mission', sent)).code).toBe('mission_not_found')
    await parent.ok('revoke_token', { jti: minted.jti })
    for (const token of [minted.token, grandchild.token])
      expect(await parent.refused('get_mission', { mission, token })).toMatchObject({
        code: 'token_revoked',
      })
    expect((await parent.refused('get_mission', { mission })).code).toBe('mission_not_found')
  })
})
