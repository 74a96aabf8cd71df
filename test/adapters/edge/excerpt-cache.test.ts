import { expect, test } from 'vitest'
import { createExcerptCache } from '../../../src/adapters/edge/excerpt-cache.ts'
import { utf8 } from '../../../src/domain/bytes.ts'
import { sha256 } from '../../../src/domain/digest.ts'
import type { Report } from '../../../src/ports.ts'
import { excerptCacheContract } from '../../support/excerpt-cache-contract.ts'
import { freshOwner } from '../../support/fresh.ts'

const open = () => caches.open('memex')

excerptCacheContract('the edge', () => createExcerptCache(open, () => undefined))

test('a copy carries its own headers only and may stay five minutes', async () => {
  const owner = freshOwner()
  const digest = await sha256(utf8('x'))
  await createExcerptCache(open, () => undefined).put(owner, digest, utf8('x'))
  const key = `https://memex.invalid/${owner.tenant}/${owner.mission}/${digest}`
  const copy = await (await open()).match(key)
  expect(copy?.headers.get('cache-control')).toBe('public, max-age=300')
  expect(copy?.headers.get('content-type')).toBe('application/octet-stream')
  expect(copy?.headers.has('set-cookie')).toBe(false)
  await copy?.body?.cancel()
})

test('copies stay out of the cache that every Worker route shares', async () => {
  const owner = freshOwner()
  const digest = await sha256(utf8('y'))
  await createExcerptCache(open, () => undefined).put(owner, digest, utf8('y'))
  const key = `https://memex.invalid/${owner.tenant}/${owner.mission}/${digest}`
  expect(await caches.default.match(key)).toBeUndefined()
})

test('a cache that fails is a miss and is reported', async () => {
  const reports: Report[] = []
  const broken = () => Promise.reject(new Error('no cache here'))
  const cache = createExcerptCache(broken, (entry) => void reports.push(entry))
  const digest = await sha256(utf8('z'))
  await cache.put(freshOwner(), digest, utf8('z'))
  expect(await cache.get(freshOwner(), digest)).toBeNull()
  expect(reports.map(({ event }) => event)).toEqual([
    'excerpt_cache_failed',
    'excerpt_cache_failed',
  ])
})
