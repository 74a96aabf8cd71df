import type { Sha256 } from '../../domain/digest.ts'
import type { ExcerptCache, Owner, Report } from '../../ports.ts'

/** How long an excerpt can outlive its mission at the edge (DESIGN section 3). */
const MAX_AGE_S = 300

/**
 * Excerpts in a named cache of this data centre. The key names tenant and mission, and holds no part
 * of a request, so nobody is served what another tenant filled in. A cache that fails is a miss.
 */
export function createExcerptCache(
  open: () => Promise<Cache>,
  report: (entry: Report) => void,
): ExcerptCache {
  return {
    get: async (owner, sha256) => {
      try {
        const hit = await (await open()).match(keyOf(owner, sha256))
        return hit === undefined ? null : new Uint8Array(await hit.arrayBuffer())
      } catch (error) {
        report({ level: 'warn', event: 'excerpt_cache_failed', error: String(error) })
        return null
      }
    },

    put: async (owner, sha256, bytes) => {
      try {
        const headers = {
          // The Cache API refuses `private`; these headers are the copy's own and never served.
          'cache-control': `public, max-age=${MAX_AGE_S}`,
          'content-type': 'application/octet-stream',
        }
        await (await open()).put(keyOf(owner, sha256), new Response(bytes, { headers }))
      } catch (error) {
        report({ level: 'warn', event: 'excerpt_cache_failed', error: String(error) })
      }
    },
  }
}

const keyOf = ({ tenant, mission }: Owner, sha256: Sha256): string =>
  `https://memex.invalid/${tenant}/${mission}/${sha256}`
