import { env } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { MAX_SOURCE_BYTES } from '../../../src/adapters/r2/excerpt-metadata.ts'
import { createR2Memex } from '../../../src/adapters/r2/r2-memex.ts'
import { utf8, utf8Length } from '../../../src/domain/bytes.ts'
import { sha256 } from '../../../src/domain/digest.ts'
import type { ExcerptMeta } from '../../../src/domain/memex/excerpt.ts'
import type { Owner } from '../../../src/ports.ts'
import { after, always, before, callsOf, faulty, inTurn } from '../../support/faults.ts'
import type { Plan } from '../../support/faults.ts'
import { freshOwner } from '../../support/fresh.ts'
import { impatient } from '../../support/impatient.ts'
import { listAll, memexContract } from '../../support/memex-contract.ts'

const META: ExcerptMeta = { kind: 'excerpt', stored_at: '2026-11-30T12:00:00.000Z' }
const BYTES = utf8('the bytes of an excerpt')
const DIGEST = await sha256(BYTES)
const memex = createR2Memex(env.MEMEX)
const keyOf = (owner: Owner) => `${owner.tenant}/${owner.mission}/${DIGEST}`

memexContract('R2', () => memex)

function withPlan(plan: Plan) {
  const patience = impatient()
  const bucket = faulty(env.MEMEX, plan)
  return { bucket, patience, memex: createR2Memex(bucket, patience) }
}

describe('when R2 fails', () => {
  test.each([
    ['an internal error', 'put: We encountered an internal error. (10001)'],
    ['no service', 'put: Service unavailable (10043)'],
    ['a lost connection', 'Network connection lost.'],
  ])('a put survives %s twice', async (_, message) => {
    const owner = freshOwner()
    const { memex, patience } = withPlan(inTurn('put', before(message), before(message)))
    expect(await memex.put(owner, DIGEST, BYTES, META)).toBe('created')
    expect(patience.waits).toEqual([100, 200])
  })

  test('a put that took effect before it failed is found to exist', async () => {
    const owner = freshOwner()
    const { memex } = withPlan(inTurn('put', after('Network connection lost.')))
    expect(await memex.put(owner, DIGEST, BYTES, META)).toBe('exists')
    expect((await memex.get(owner, DIGEST))?.bytes).toEqual(BYTES)
  })

  test('a put gives up after three tries with the error of R2', async () => {
    const { bucket, memex } = withPlan(always('put', before('put: internal (10001)')))
    await expect(memex.put(freshOwner(), DIGEST, BYTES, META)).rejects.toThrow('(10001)')
    expect(callsOf(bucket, 'put')).toBe(3)
  })

  test('a wrong digest is refused at once', async () => {
    const { bucket, memex } = withPlan(() => undefined)
    await expect(memex.put(freshOwner(), DIGEST, utf8('other'), META)).rejects.toThrow('(10037)')
    expect(callsOf(bucket, 'put')).toBe(1)
  })

  test('reads and lists are tried again', async () => {
    const owner = freshOwner()
    await memex.put(owner, DIGEST, BYTES, META)
    for (const method of ['get', 'head', 'list', 'delete']) {
      const { memex } = withPlan(inTurn(method, before('lost'), after('(10001)')))
      expect((await memex.get(owner, DIGEST))?.bytes).toEqual(BYTES)
      expect(await memex.head(owner, DIGEST)).toMatchObject({ size: BYTES.length })
      expect((await memex.list(owner, { limit: 3 })).items).toHaveLength(1)
      if (method === 'delete') await memex.remove(owner, DIGEST)
    }
    expect(await memex.head(owner, DIGEST)).toBeNull()
  })

  test('a put fails when it can not check that the existing excerpt is the same', async () => {
    const owner = freshOwner()
    await memex.put(owner, DIGEST, BYTES, META)
    const { memex: blind } = withPlan(always('head', before('(10043)')))
    await expect(blind.put(owner, DIGEST, BYTES, META)).rejects.toThrow('(10043)')
  })
})

describe('when a key is written too often', () => {
  const busy = before('put: Reduce your rate of simultaneous writes on the same object. (10058)')

  test('a put finds the excerpt that the other writer stored', async () => {
    const owner = freshOwner()
    await memex.put(owner, DIGEST, BYTES, META)
    const { memex: slow, patience } = withPlan(inTurn('put', busy))
    expect(await slow.put(owner, DIGEST, BYTES, META)).toBe('exists')
    expect(patience.waits).toEqual([])
  })

  test('a put is tried once more after a second where nothing is stored', async () => {
    const { memex, patience } = withPlan(inTurn('put', busy))
    expect(await memex.put(freshOwner(), DIGEST, BYTES, META)).toBe('created')
    expect(patience.waits).toEqual([1_100])
  })

  test('a put fails when its second try fails too', async () => {
    const { bucket, memex } = withPlan(always('put', busy))
    await expect(memex.put(freshOwner(), DIGEST, BYTES, META)).rejects.toThrow('(10058)')
    expect(callsOf(bucket, 'put')).toBe(2)
  })
})

describe('objects that others put into the bucket', () => {
  test('a foreign object is replaced by the true bytes when its checksum is not the digest', async () => {
    const owner = freshOwner()
    await env.MEMEX.put(keyOf(owner), 'not these bytes')
    expect(await memex.put(owner, DIGEST, BYTES, META)).toBe('created')
    expect((await memex.get(owner, DIGEST))?.bytes).toEqual(BYTES)
    expect(await memex.put(owner, DIGEST, BYTES, META)).toBe('exists')
  })

  test('a corrupt object is read as it is, so that a reader who hashes it sees the corruption', async () => {
    const owner = freshOwner()
    await env.MEMEX.put(keyOf(owner), 'corrupt')
    const found = await memex.get(owner, DIGEST)
    expect(found?.sha256).toBe(DIGEST)
    expect(await sha256(found!.bytes)).not.toBe(DIGEST)
  })

  test('an object without metadata is an excerpt of its date', async () => {
    const owner = freshOwner()
    await env.MEMEX.put(keyOf(owner), BYTES)
    const found = await memex.head(owner, DIGEST)
    expect(found?.kind).toBe('excerpt')
    expect(found?.stored_at).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  test('an object whose name is no digest is not listed, and is erased', async () => {
    const owner = freshOwner()
    await env.MEMEX.put(`${owner.tenant}/${owner.mission}/notes.txt`, 'hello')
    expect(await listAll(memex, owner, 1)).toEqual([])
    expect(await memex.erase(owner)).toBe(true)
    expect((await env.MEMEX.list({ prefix: `${owner.tenant}/` })).objects).toEqual([])
  })
})

test.each(['a'.repeat(9_000), 'é'.repeat(2_000), `${'x'.repeat(1_299)}🧪🧪`])(
  'a source that is too long for R2 is cut at a whole character',
  async (source) => {
    const owner = freshOwner()
    await memex.put(owner, DIGEST, BYTES, { ...META, source, tool: 't'.repeat(128) })
    const kept = (await memex.head(owner, DIGEST))?.source ?? ''
    expect(source.startsWith(kept)).toBe(true)
    expect(utf8Length(kept)).toBeLessThanOrEqual(MAX_SOURCE_BYTES)
    expect(utf8Length(kept)).toBeGreaterThan(MAX_SOURCE_BYTES - 4)
    expect(kept.isWellFormed()).toBe(true)
  },
)

describe('with more excerpts than R2 lists at once', () => {
  const owner = freshOwner()
  const count = 1_005

  test('the list is followed to its end', async () => {
    for (let from = 0; from < count; from += 201)
      await Promise.all(
        Array.from({ length: 201 }, async (_, i) => {
          const bytes = utf8(`excerpt ${from + i}`)
          await memex.put(owner, await sha256(bytes), bytes, META)
        }),
      )
    expect(new Set((await listAll(memex, owner, 1_000)).map((e) => e.sha256)).size).toBe(count)
  })

  test('short pages of R2 are filled up', async () => {
    // With metadata R2 may return fewer objects than it was asked for.
    const short = new Proxy(env.MEMEX, {
      get: (bucket, name) =>
        name === 'list'
          ? (options: R2ListOptions) =>
              bucket.list({ ...options, limit: Math.min(7, options.limit ?? 7) })
          : Reflect.get(bucket, name),
    })
    const page = await createR2Memex(short).list(owner, { limit: 20 })
    expect(page.items).toHaveLength(20)
    expect(page.next_cursor).not.toBeNull()
  })

  test('erasing takes a call for each thousand excerpts', async () => {
    expect(await memex.erase(owner)).toBe(false)
    expect(await memex.erase(owner)).toBe(true)
    expect((await memex.list(owner, { limit: 1 })).items).toEqual([])
  })
})
