import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Bytes } from '../../src/domain/bytes.ts'
import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import type { ExcerptMeta } from '../../src/domain/memex/excerpt.ts'
import { MAX_EXCERPT_BYTES } from '../../src/domain/memex/excerpt.ts'
import type { Memex, Owner, StoredExcerpt } from '../../src/ports.ts'
import { freshOwner } from './fresh.ts'

const META: ExcerptMeta = { kind: 'tool_output', stored_at: '2026-11-30T12:00:00.000Z' }

// The store's own words, or R2's (10037).
const REFUSED = /another digest|SHA-256/

const BYTES: readonly (readonly [string, Bytes])[] = [
  ['nothing at all', new Uint8Array()],
  ['one byte', new Uint8Array([0])],
  ['a byte order mark', new Uint8Array([0xef, 0xbb, 0xbf, 0x61])],
  ['every kind of line end', utf8('a\r\nb\rc\nd\u2028e')],
  ['NUL', utf8('a\u0000b\u0000')],
  ['bytes that are not UTF-8', new Uint8Array([0x80, 0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80])],
  ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
  ['all byte values', Uint8Array.from({ length: 256 }, (_, i) => i)],
  ['64 KiB less one', new Uint8Array(65_535).fill(7)],
  ['64 KiB and one', new Uint8Array(65_537).fill(7)],
  ['the largest excerpt', Uint8Array.from({ length: MAX_EXCERPT_BYTES }, (_, i) => i % 251)],
]

/** What every Memex must do. */
export function memexContract(name: string, memex: () => Memex): void {
  describe(`${name} is a Memex`, () => {
    test.each(BYTES)('gives back %s byte for byte', async (_, bytes) => {
      const owner = freshOwner()
      const digest = await sha256(bytes)
      expect(await memex().put(owner, digest, bytes, META)).toBe('created')
      const found = await memex().get(owner, digest)
      expect(equal(found?.bytes, bytes)).toBe(true)
      expect(found).toMatchObject({ ...META, sha256: digest, size: bytes.length })
    })

    test('gives back any bytes', async () => {
      const owner = freshOwner()
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 4096 }), async (random) => {
          const bytes = new Uint8Array(random)
          const digest = await sha256(bytes)
          await memex().put(owner, digest, bytes, META)
          expect(equal((await memex().get(owner, digest))?.bytes, bytes)).toBe(true)
        }),
        { numRuns: 100 },
      )
    })

    test('stores one digest once, with the meta of the first put', async () => {
      const owner = freshOwner()
      const bytes = utf8('twice')
      const digest = await sha256(bytes)
      expect(await memex().put(owner, digest, bytes, META)).toBe('created')
      expect(await memex().put(owner, digest, bytes, { ...META, kind: 'query' })).toBe('exists')
      expect(await memex().head(owner, digest)).toMatchObject({ kind: 'tool_output' })
    })

    test('refuses bytes that do not hash to the digest and keeps what is there', async () => {
      const owner = freshOwner()
      const bytes = utf8('right')
      const digest = await sha256(bytes)
      const wrong = async () => await memex().put(owner, digest, utf8('wrong'), META)
      await expect(wrong()).rejects.toThrow(REFUSED)
      expect(await memex().head(owner, digest)).toBeNull()
      await memex().put(owner, digest, bytes, META)
      await wrong().catch(() => undefined)
      expect((await memex().get(owner, digest))?.bytes).toEqual(bytes)
    })

    test('refuses every flip of one bit', async () => {
      const owner = freshOwner()
      const bytes = utf8('sixteen bytes...')
      const digest = await sha256(bytes)
      for (let bit = 0; bit < bytes.length * 8; bit++) {
        const flipped = bytes.slice()
        flipped[bit >> 3] = flipped[bit >> 3]! ^ (1 << (bit & 7))
        await expect(memex().put(owner, digest, flipped, META)).rejects.toThrow(REFUSED)
      }
      expect(await memex().head(owner, digest)).toBeNull()
    })

    test('has one creator among a hundred concurrent writers', async () => {
      const owner = freshOwner()
      const bytes = utf8('a race')
      const digest = await sha256(bytes)
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => memex().put(owner, digest, bytes, META)),
      )
      expect(answers.filter((answer) => answer === 'created')).toHaveLength(1)
      expect(answers.filter((answer) => answer === 'exists')).toHaveLength(99)
    })

    test('answers null for what is not there', async () => {
      const owner = freshOwner()
      const digest = await sha256(utf8('nowhere'))
      expect(await memex().get(owner, digest)).toBeNull()
      expect(await memex().head(owner, digest)).toBeNull()
    })

    test('shows nothing of one mission or tenant to another', async () => {
      const owner = freshOwner()
      const bytes = utf8('mine')
      const digest = await sha256(bytes)
      await memex().put(owner, digest, bytes, META)
      const others: Owner[] = [
        { ...owner, mission: `${owner.mission}.b` },
        { ...owner, mission: owner.mission.slice(0, -1) },
        { ...owner, tenant: `${owner.tenant}.b` },
      ]
      for (const other of others) {
        expect(await memex().get(other, digest)).toBeNull()
        expect((await memex().list(other, { limit: 10 })).items).toEqual([])
        expect(await memex().put(other, digest, bytes, META)).toBe('created')
      }
    })

    test.each([
      ['plain', 'src/a.ts:1-20'],
      ['with quotes, percent and equal signs', `"50%" = 'half'; a,b`],
      ['in other scripts', 'отчёт/測試.md:4–9 🧪'],
      ['with line ends and NUL', 'a\r\nb\u0000c'],
      ['empty', ''],
    ])('remembers a source %s', async (_, source) => {
      const owner = freshOwner()
      const digest = await put(memex(), owner, 'sourced', { ...META, source, tool: 'read_file' })
      const expected = { source, tool: 'read_file', kind: 'tool_output' }
      expect(await memex().head(owner, digest)).toMatchObject(expected)
      expect(await memex().get(owner, digest)).toMatchObject(expected)
      expect((await memex().list(owner, { limit: 1 })).items[0]).toMatchObject(expected)
    })

    test('lists page by page, each excerpt once, with its meta', async () => {
      const owner = freshOwner()
      const texts = Array.from({ length: 25 }, (_, i) => `excerpt ${i}`)
      const digests = await Promise.all(texts.map((text) => put(memex(), owner, text, META)))
      const listed = await listAll(memex(), owner, 10)
      expect(listed.map(({ sha256 }) => sha256)).toEqual(digests.toSorted())
      expect(listed.every(({ kind }) => kind === 'tool_output')).toBe(true)
    })

    test('ends a full last page with no cursor', async () => {
      const owner = freshOwner()
      for (const text of ['a', 'b']) await put(memex(), owner, text, META)
      expect((await memex().list(owner, { limit: 2 })).next_cursor).toBeNull()
      expect((await memex().list(owner, { limit: 1 })).next_cursor).not.toBeNull()
    })

    test('lists nothing for a cursor that is not its own', async () => {
      const owner = freshOwner()
      await put(memex(), owner, 'a', META)
      for (const cursor of ['', 'x', btoa('["a","b"]'), btoa('[7]')])
        expect(await memex().list(owner, { limit: 5, cursor })).toEqual({
          items: [],
          next_cursor: null,
        })
    })

    test('removes one excerpt and is content when it is gone', async () => {
      const owner = freshOwner()
      const [kept, gone] = [
        await put(memex(), owner, 'kept', META),
        await put(memex(), owner, 'gone', META),
      ]
      await memex().remove(owner, gone)
      await memex().remove(owner, gone)
      expect(await memex().head(owner, gone)).toBeNull()
      expect(await memex().head(owner, kept)).not.toBeNull()
    })

    test('erases a mission and nothing beside it', async () => {
      const owner = freshOwner()
      const neighbour = { ...owner, mission: `${owner.mission}.b` }
      const digest = await put(memex(), owner, 'a', META)
      await put(memex(), neighbour, 'a', META)
      expect(await memex().erase(owner)).toBe(true)
      expect(await memex().erase(owner)).toBe(true)
      expect(await memex().head(owner, digest)).toBeNull()
      expect(await memex().head(neighbour, digest)).not.toBeNull()
    })
  })
}

async function put(memex: Memex, owner: Owner, text: string, meta: ExcerptMeta) {
  const bytes = utf8(text)
  const digest = await sha256(bytes)
  await memex.put(owner, digest, bytes, meta)
  return digest
}

/** All excerpts of a mission, following the cursor. */
export async function listAll(
  memex: Memex,
  owner: Owner,
  limit: number,
): Promise<readonly StoredExcerpt[]> {
  const all: StoredExcerpt[] = []
  let cursor: string | undefined
  do {
    const page = await memex.list(owner, { limit, cursor })
    expect(page.items.length).toBeLessThanOrEqual(limit)
    all.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return all
}

// Not toEqual: on 8 MiB it takes seconds.
const equal = (a: Uint8Array | undefined, b: Uint8Array): boolean =>
  a?.length === b.length && a.every((byte, i) => byte === b[i])
