import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createR2Revocations } from '../../src/adapters/r2/r2-revocations.ts'
import { faceOf } from '../support/face.ts'
import { callsOf, faulty } from '../support/faults.ts'
import { missionBench } from '../support/mission-bench.ts'
import { claimsOf } from '../support/tokens.ts'

const SCOPE = ['memex:read', 'mission:read', 'mission:write']

/** Two isolates of one deployment: each has its own copy of the list of revoked tokens. */
async function twoIsolates() {
  const bench = missionBench()
  const isolate = async () => {
    const list = faulty(env.MEMEX)
    const revocations = createR2Revocations(list, bench.now)
    return { list, ...(await faceOf(bench, undefined, { revocations })) }
  }
  return { bench, here: await isolate(), there: await isolate() }
}

test('a token revoked elsewhere is refused at once by calls of the object, and by reads within 60 s', async () => {
  const { bench, here, there } = await twoIsolates()
  const { mission } = bench.owner
  const { sha256 } = await here.api.ok('write_excerpt', { mission, body: 'evidence' })
  const { token } = await here.api.ok('mint_token', { body: { scope: SCOPE, expires_in_s: 600 } })
  const read = { mission, sha256, token }
  const look = { mission, token }
  expect((await here.api.send('read_excerpt', read)).status).toBe(200)
  expect((await here.api.send('get_mission', look)).status).toBe(200)

  await there.api.ok('revoke_token', { jti: claimsOf(token).jti })
  for (const name of ['get_mission', 'report_context'] as const)
    expect(
      await here.api.refused(name, { ...look, body: name === 'get_mission' ? undefined : {} }),
    ).toMatchObject({ status: 401, code: 'token_revoked' })

  bench.wait(59_000)
  expect((await here.api.send('read_excerpt', read)).status).toBe(200)
  expect((await there.api.refused('read_excerpt', read)).code).toBe('token_revoked')
  bench.wait(1_001)
  expect((await here.api.refused('read_excerpt', read)).code).toBe('token_revoked')
})

test('a revoked fold:read token is refused at once, since its reads ask the object', async () => {
  const { bench, here, there } = await twoIsolates()
  const { mission } = bench.owner
  const { sha256 } = await here.api.ok('write_excerpt', { mission, body: 'not cited' })
  const scope = ['fold:read']
  const { token } = await here.api.ok('mint_token', { body: { scope, expires_in_s: 600 } })
  const read = { mission, sha256, token }
  expect((await here.api.refused('read_excerpt', read)).code).toBe('excerpt_not_found')
  await there.api.ok('revoke_token', { jti: claimsOf(token).jti })
  expect((await here.api.refused('read_excerpt', read)).code).toBe('token_revoked')
})

test('reads share one copy of the list for 60 s, and other calls look up their own token each time', async () => {
  const { bench, here } = await twoIsolates()
  const { mission } = bench.owner
  const { sha256 } = await here.api.ok('write_excerpt', { mission, body: 'evidence' })
  const count = () => ({ list: callsOf(here.list, 'list'), head: callsOf(here.list, 'head') })
  const before = count()
  for (let times = 0; times < 5; times++) await here.api.ok('read_excerpt', { mission, sha256 })
  expect(count()).toEqual({ ...before, list: before.list + 1 })
  for (let times = 0; times < 5; times++) await here.api.ok('get_mission', { mission })
  expect(count()).toEqual({ list: before.list + 1, head: before.head + 5 })
})
