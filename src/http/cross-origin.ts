import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'

const SENT = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Range',
]
const SEEN = [
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotent-Replayed',
  'Mcp-Session-Id',
  'Prompt-Sha256',
  'Repr-Digest',
  'Retry-After',
  'Server-Timing',
  'WWW-Authenticate',
  'X-Request-Id',
]

/**
 * Lets pages of these origins call. Without credentials: a token travels in a header
 * that a page sets itself, so no cookie is ever in play.
 */
export const crossOrigin = (origins: readonly string[]): MiddlewareHandler =>
  cors({
    origin: [...origins],
    allowMethods: ['GET', 'HEAD', 'PUT', 'POST', 'DELETE'],
    allowHeaders: SENT,
    exposeHeaders: SEEN,
    maxAge: 600,
  })
