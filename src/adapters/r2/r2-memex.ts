import type { Bytes } from '../../domain/bytes.ts'
import { formatCursor, parseCursor } from '../../domain/cursor.ts'
import { parseSha256 } from '../../domain/digest.ts'
import type { Sha256 } from '../../domain/digest.ts'
import type { ExcerptMeta } from '../../domain/memex/excerpt.ts'
import type { Memex, Owner, StoredExcerpt } from '../../ports.ts'
import { retry, systemPatience } from '../retry.ts'
import { metadataOf, metaOf } from './excerpt-metadata.ts'
import { isTransient, r2Code, TOO_MANY_WRITES } from './r2-errors.ts'

/** The most keys that R2 lists or deletes in one call. */
const MAX_KEYS = 1_000
const SAME_KEY_WAIT_MS = 1_100

/** The Memex in an R2 bucket, one object an excerpt under `<tenant>/<mission>/<sha256>`. */
export function createR2Memex(bucket: R2Bucket, patience = systemPatience): Memex {
  const patiently = <T>(work: () => Promise<T>): Promise<T> => retry(patience, isTransient, work)

  const store = async (
    key: string,
    sha256: Sha256,
    bytes: Bytes,
    meta: ExcerptMeta,
  ): Promise<'created' | 'exists'> => {
    // R2 hashes what it received and refuses it (10037) unless this is its digest.
    const options = { sha256, customMetadata: metadataOf(meta) }
    const created = await bucket.put(key, bytes, {
      ...options,
      onlyIf: { etagDoesNotMatch: '*' },
    })
    if (created !== null) return 'created'
    const there = await bucket.head(key)
    if (there === null) throw new Error('the excerpt vanished while it was stored')
    if (digestOf(there) === sha256) return 'exists'
    // Other hands put bytes here that this digest does not name: the true ones replace just those.
    const replaced = await bucket.put(key, bytes, {
      ...options,
      onlyIf: { etagMatches: there.etag },
    })
    if (replaced === null) throw new Error('the excerpt changed while it was stored')
    return 'created'
  }

  return {
    put: (owner, sha256, bytes, meta) =>
      patiently(async () => {
        const key = keyOf(owner, sha256)
        try {
          return await store(key, sha256, bytes, meta)
        } catch (error) {
          if (r2Code(error) !== TOO_MANY_WRITES) throw error
          // Somebody else writes this very excerpt: theirs is ours once it is there.
          const theirs = await bucket.head(key)
          if (theirs !== null && digestOf(theirs) === sha256) return 'exists'
          await patience.sleep(SAME_KEY_WAIT_MS)
          return await store(key, sha256, bytes, meta)
        }
      }),

    get: (owner, sha256) =>
      patiently(async () => {
        const object = await bucket.get(keyOf(owner, sha256))
        if (object === null) return null
        return {
          ...storedExcerpt(object, sha256),
          bytes: new Uint8Array(await object.arrayBuffer()),
        }
      }),

    head: (owner, sha256) =>
      patiently(async () => {
        const object = await bucket.head(keyOf(owner, sha256))
        return object === null ? null : storedExcerpt(object, sha256)
      }),

    list: async (owner, { cursor, limit }) => {
      const prefix = prefixOf(owner)
      const after = cursor === undefined ? '' : lastDigest(cursor)
      if (after === null) return { items: [], next_cursor: null }
      const items: StoredExcerpt[] = []
      let last = after
      for (;;) {
        const page = await patiently(() =>
          bucket.list({
            prefix,
            limit: Math.min(limit - items.length, MAX_KEYS),
            include: ['customMetadata'],
            ...(last === '' ? {} : { startAfter: prefix + last }),
          }),
        )
        for (const object of page.objects) {
          last = object.key.slice(prefix.length)
          const sha256 = parseSha256(last)
          if (sha256 !== null) items.push(storedExcerpt(object, sha256))
        }
        if (!page.truncated) return { items, next_cursor: null }
        if (items.length >= limit) return { items, next_cursor: formatCursor([last]) }
      }
    },

    remove: (owner, sha256) => patiently(() => bucket.delete(keyOf(owner, sha256))),

    erase: (owner) =>
      patiently(async () => {
        const page = await bucket.list({ prefix: prefixOf(owner), limit: MAX_KEYS })
        if (page.objects.length > 0) await bucket.delete(page.objects.map((object) => object.key))
        return !page.truncated
      }),
  }
}

const prefixOf = (owner: Owner): string => `${owner.tenant}/${owner.mission}/`
const keyOf = (owner: Owner, sha256: Sha256): string => prefixOf(owner) + sha256

const digestOf = (object: R2Object): string | undefined => object.checksums.toJSON().sha256

const storedExcerpt = (object: R2Object, sha256: Sha256): StoredExcerpt => ({
  ...metaOf(object),
  sha256,
  size: object.size,
})

// Null for the cursor of another list.
function lastDigest(cursor: string): Sha256 | null {
  const [digest] = parseCursor(cursor) ?? []
  return typeof digest === 'string' ? parseSha256(digest) : null
}
