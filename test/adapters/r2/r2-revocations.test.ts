import { env } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { createR2Revocations } from '../../../src/adapters/r2/r2-revocations.ts'
import { always, before, callsOf, faulty, inTurn } from '../../support/faults.ts'
import { freshName } from '../../support/fresh.ts'
import { impatient } from '../../support/impatient.ts'
import { revocationsContract } from '../../support/revocations-contract.ts'

const LATER = 4_000_000_000
const shared = createR2Revocations(env.MEMEX, Date.now)

revocationsContract('R2', () => shared)

describe('a copy of the list', () => {
  test('the copy is used for 60 s and then read again', async () => {
    const tenant = freshName('tenant')
    let now = 1_000_000
    const here = createR2Revocations(env.MEMEX, () => now)
    const elsewhere = createR2Revocations(env.MEMEX, () => now)
    expect(await here.anyRevoked(tenant, ['jti-00000001'], false)).toBe(false)
    await elsewhere.revoke(tenant, 'jti-00000001', LATER)
    now += 59_999
    expect(await here.anyRevoked(tenant, ['jti-00000001'], false)).toBe(false)
    expect(await here.anyRevoked(tenant, ['jti-00000001'], true)).toBe(true)
    now += 1
    expect(await here.anyRevoked(tenant, ['jti-00000001'], false)).toBe(true)
  })

  test('the copy costs one list a minute, however many reads', async () => {
    const bucket = faulty(env.MEMEX)
    const revocations = createR2Revocations(bucket, () => 0)
    for (let i = 0; i < 20; i++) await revocations.anyRevoked('tenant', ['jti-00000001'], false)
    expect(callsOf(bucket, 'list')).toBe(1)
    expect(callsOf(bucket, 'head')).toBe(0)
  })

  test('the copy has at once what this isolate revokes', async () => {
    const tenant = freshName('tenant')
    const revocations = createR2Revocations(env.MEMEX, () => 0)
    await revocations.anyRevoked(tenant, ['jti-00000001'], false)
    await revocations.revoke(tenant, 'jti-00000001', LATER)
    expect(await revocations.anyRevoked(tenant, ['jti-00000001'], false)).toBe(true)
  })

  test('the copy holds more than one page of the list', async () => {
    const tenant = freshName('tenant')
    const short = new Proxy(env.MEMEX, {
      get: (bucket, name) =>
        name === 'list'
          ? (options: R2ListOptions) => bucket.list({ ...options, limit: 2 })
          : (Reflect.get(bucket, name) as () => unknown).bind(bucket),
    })
    const revocations = createR2Revocations(short, Date.now)
    const jtis = Array.from({ length: 5 }, (_, i) => `jti-0000000${i}`)
    for (const jti of jtis) await revocations.revoke(tenant, jti, LATER)
    for (const jti of jtis) expect(await revocations.anyRevoked(tenant, [jti], false)).toBe(true)
  })
})

test('a revocation removes those whose tokens have expired', async () => {
  const tenant = freshName('tenant')
  const now = 2_000_000_000
  const revocations = createR2Revocations(env.MEMEX, () => now * 1000)
  await env.MEMEX.put(`_revoked/${tenant}/jti-past-0001`, '', {
    customMetadata: { expires_at: String(now - 1) },
  })
  await env.MEMEX.put(`_revoked/${tenant}/jti-unknown-1`, '')
  await revocations.revoke(tenant, 'jti-alive-001', now + 1)
  const keys = (await env.MEMEX.list({ prefix: `_revoked/${tenant}/` })).objects.map((o) => o.key)
  expect(keys).toEqual([`_revoked/${tenant}/jti-alive-001`, `_revoked/${tenant}/jti-unknown-1`])
})

describe('when R2 fails', () => {
  test('revoking and asking are tried again', async () => {
    const tenant = freshName('tenant')
    const bucket = faulty(env.MEMEX, (method, call) =>
      inTurn(method, before('lost'), before('(10001)'))(method, call),
    )
    const revocations = createR2Revocations(bucket, Date.now, impatient())
    await revocations.revoke(tenant, 'jti-00000001', LATER)
    expect(await revocations.anyRevoked(tenant, ['jti-00000001'], true)).toBe(true)
    expect(await revocations.anyRevoked(tenant, ['jti-00000001'], false)).toBe(true)
  })

  test('a sweep that fails does not undo the revocation', async () => {
    const tenant = freshName('tenant')
    const bucket = faulty(env.MEMEX, always('list', before('(10043)')))
    const revocations = createR2Revocations(bucket, Date.now, impatient())
    await revocations.revoke(tenant, 'jti-00000001', LATER)
    expect(await revocations.anyRevoked(tenant, ['jti-00000001'], true)).toBe(true)
  })

  test('asking fails while the list can not be read', async () => {
    const down = always('list', before('(10043)'))
    const revocations = createR2Revocations(faulty(env.MEMEX, down), Date.now, impatient())
    const asked = revocations.anyRevoked('tenant', ['jti-00000001'], false)
    await expect(asked).rejects.toThrow('(10043)')
  })
})
