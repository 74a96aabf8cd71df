import { describe, expect, test } from 'vitest'
import type { Revocations } from '../../src/ports.ts'
import { freshName } from './fresh.ts'

const LATER = 4_000_000_000

/** What every list of revoked tokens must do. */
export function revocationsContract(name: string, revocations: () => Revocations): void {
  describe(`${name} holds revocations`, () => {
    test.each([true, false])('knows a revoked token (fresh: %s)', async (fresh) => {
      const tenant = freshName('tenant')
      await revocations().revoke(tenant, 'jti-revoked-1', LATER)
      expect(await revocations().anyRevoked(tenant, ['jti-revoked-1'], fresh)).toBe(true)
      expect(await revocations().anyRevoked(tenant, ['jti-other-000'], fresh)).toBe(false)
    })

    test.each([true, false])('finds an ancestor among many (fresh: %s)', async (fresh) => {
      const tenant = freshName('tenant')
      const chain = Array.from({ length: 17 }, (_, i) => `jti-ancestor-${i}`)
      await revocations().revoke(tenant, 'jti-ancestor-9', LATER)
      expect(await revocations().anyRevoked(tenant, chain, fresh)).toBe(true)
      expect(await revocations().anyRevoked(tenant, chain.slice(10), fresh)).toBe(false)
      expect(await revocations().anyRevoked(tenant, [], fresh)).toBe(false)
    })

    test('keeps tenants apart', async () => {
      const [mine, theirs] = [freshName('tenant'), freshName('tenant')]
      await revocations().revoke(mine, 'jti-of-mine-1', LATER)
      for (const fresh of [true, false])
        expect(await revocations().anyRevoked(theirs, ['jti-of-mine-1'], fresh)).toBe(false)
    })

    test('takes a second revocation for the first', async () => {
      const tenant = freshName('tenant')
      await revocations().revoke(tenant, 'jti-twice-001', LATER)
      await revocations().revoke(tenant, 'jti-twice-001', LATER)
      expect(await revocations().anyRevoked(tenant, ['jti-twice-001'], true)).toBe(true)
    })
  })
}
