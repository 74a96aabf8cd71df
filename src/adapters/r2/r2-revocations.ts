import type { Revocations } from '../../ports.ts'
import { retry, systemPatience } from '../retry.ts'
import { isTransient } from './r2-errors.ts'

const CACHED_MS = 60_000
const CACHED_TENANTS = 1_000
const MAX_KEYS = 1_000

interface Revoked {
  readonly jti: string
  readonly expires_at: number
}

interface CachedList {
  readonly at: number
  readonly jtis: Set<string>
}

/**
 * Revoked tokens as empty objects `_revoked/<tenant>/<jti>` beside the excerpts: no tenant begins
 * with `_`. `now` in unix ms. Reads that may be a little old share one list per tenant and isolate.
 */
export function createR2Revocations(
  bucket: R2Bucket,
  now: () => number,
  patience = systemPatience,
): Revocations {
  const cache = new Map<string, CachedList>()
  const patiently = <T>(work: () => Promise<T>): Promise<T> => retry(patience, isTransient, work)

  const listed = async (tenant: string): Promise<readonly Revoked[]> => {
    const prefix = prefixOf(tenant)
    const revoked: Revoked[] = []
    let cursor: string | undefined
    do {
      const page = await patiently(() =>
        bucket.list({
          prefix,
          include: ['customMetadata'],
          ...(cursor === undefined ? {} : { cursor }),
        }),
      )
      for (const { key, customMetadata } of page.objects)
        revoked.push({
          jti: key.slice(prefix.length),
          expires_at: Number(customMetadata?.['expires_at'] ?? Infinity),
        })
      cursor = page.truncated ? page.cursor : undefined
    } while (cursor !== undefined)
    return revoked
  }

  const cachedJtis = async (tenant: string): Promise<ReadonlySet<string>> => {
    const cached = cache.get(tenant)
    if (cached !== undefined && now() - cached.at < CACHED_MS) return cached.jtis
    // The time from before the list was read: what is revoked meanwhile may be missing from it.
    const at = now()
    // Not a shared promise: a Worker may not wait for the I/O of another request.
    const jtis = new Set((await listed(tenant)).map(({ jti }) => jti))
    if (cache.size >= CACHED_TENANTS) cache.clear()
    cache.set(tenant, { at, jtis })
    return jtis
  }

  return {
    revoke: async (tenant, jti, expires_at) => {
      const customMetadata = { expires_at: String(expires_at) }
      await patiently(() => bucket.put(prefixOf(tenant) + jti, '', { customMetadata }))
      cache.get(tenant)?.jtis.add(jti)
      await forgetExpired(tenant).catch(() => {
        // The token is revoked all the same; the next revocation sweeps again.
      })
    },

    anyRevoked: async (tenant, jtis, fresh) => {
      if (!fresh) {
        const revoked = await cachedJtis(tenant)
        return jtis.some((jti) => revoked.has(jti))
      }
      const heads = jtis.map((jti) => patiently(() => bucket.head(prefixOf(tenant) + jti)))
      return (await Promise.all(heads)).some((found) => found !== null)
    },
  }

  async function forgetExpired(tenant: string): Promise<void> {
    const expired = (await listed(tenant))
      .filter(({ expires_at }) => expires_at * 1000 < now())
      .map(({ jti }) => prefixOf(tenant) + jti)
    for (let from = 0; from < expired.length; from += MAX_KEYS)
      await patiently(() => bucket.delete(expired.slice(from, from + MAX_KEYS)))
  }
}

const prefixOf = (tenant: string): string => `_revoked/${tenant}/`
