import { describe, expect, test } from 'vitest'
import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import type { ExcerptCache } from '../../src/ports.ts'
import { freshOwner } from './fresh.ts'

/** What every excerpt cache must do. */
export function excerptCacheContract(name: string, cache: () => ExcerptCache): void {
  describe(`${name} caches excerpts`, () => {
    test('misses what was never put', async () => {
      expect(await cache().get(freshOwner(), await sha256(utf8('never')))).toBeNull()
    })

    test.each([
      new Uint8Array(),
      new Uint8Array([0xef, 0xbb, 0xbf, 0, 0x80, 0xff]),
      utf8('text that compresses '.repeat(5_000)),
    ])('gives back the bytes as they were', async (bytes) => {
      const owner = freshOwner()
      const digest = await sha256(bytes)
      await cache().put(owner, digest, bytes)
      expect(await cache().get(owner, digest)).toEqual(bytes)
    })

    test('shows nothing to another mission or tenant', async () => {
      const owner = freshOwner()
      const bytes = utf8('mine')
      const digest = await sha256(bytes)
      await cache().put(owner, digest, bytes)
      expect(await cache().get({ ...owner, mission: 'other' }, digest)).toBeNull()
      expect(await cache().get({ ...owner, tenant: 'other' }, digest)).toBeNull()
    })
  })
}
