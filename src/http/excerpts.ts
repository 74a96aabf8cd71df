import type { Context } from 'hono'
import { parseSha256 } from '../domain/digest.ts'
import { failure } from '../domain/failure.ts'
import { reachesExcerpt } from '../operations/fold/artifacts/evidence-reach.ts'
import { readExcerpt, seeExcerpt } from '../operations/memex/read-excerpt.ts'
import type { Deps } from '../ports.ts'
import { refused } from './answer.ts'
import { excerptHead, excerptResponse, isCurrent, notModified } from './excerpt-response.ts'
import type { Parsed } from './route.ts'

/** GET and HEAD of one excerpt: conditional, ranged, and hashed again before a byte is served. */
export async function serveExcerpt(deps: Deps, c: Context, call: Parsed): Promise<Response> {
  const sha256 = parseSha256(call.params['sha256'] ?? '')
  if (sha256 === null) return refused(failure('invalid_digest'))
  const owner = { tenant: call.caller.tenant, mission: call.params['mission'] ?? '' }
  if (!(await reachesExcerpt(deps, call.caller, owner, sha256)))
    return refused(failure('excerpt_not_found'))
  const current = isCurrent(c.req.header('if-none-match'), sha256)
  if (current || c.req.method === 'HEAD') {
    const size = await seeExcerpt(deps, owner, sha256)
    if (!size.ok) return refused(size.error)
    return current ? notModified(sha256) : excerptHead(sha256, size.value)
  }
  const bytes = await readExcerpt(deps, owner, sha256)
  if (!bytes.ok) return refused(bytes.error)
  const request = { range: c.req.header('range'), ifRange: c.req.header('if-range') }
  return excerptResponse(request, sha256, bytes.value)
}
