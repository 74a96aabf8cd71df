import type { Bytes } from '../domain/bytes.ts'
import type { Sha256 } from '../domain/digest.ts'
import { failure } from '../domain/failure.ts'
import { parseRange } from '../domain/memex/range.ts'
import { refused } from './answer.ts'

/**
 * Whether the client already has this excerpt: its strong ETag is its digest, so a match needs no
 * bytes (RFC 9110 section 13.1.2; `*` matches whatever exists).
 */
export function isCurrent(header: string | undefined, sha256: Sha256): boolean {
  if (header === undefined) return false
  return header
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag.replace(/^W\//, '') === `"${sha256}"`)
}

/** 304: nothing but the names of what the client has. */
export const notModified = (sha256: Sha256): Response =>
  new Response(null, { status: 304, headers: validators(sha256) })

/** The excerpt, whole or one range of it, as bytes that no browser will interpret. */
export function excerptResponse(
  request: { readonly range: string | undefined; readonly ifRange: string | undefined },
  sha256: Sha256,
  bytes: Bytes,
): Response {
  const ranged = request.ifRange === undefined || request.ifRange === `"${sha256}"`
  const range = ranged ? parseRange(request.range, bytes.length) : null
  if (range === 'unsatisfiable') {
    const response = refused(failure('range_not_satisfiable'))
    response.headers.set('content-range', `bytes */${bytes.length}`)
    return response
  }
  const body = range === null ? bytes : bytes.subarray(range.start, range.end)
  const headers = excerptHeaders(sha256, body.length)
  if (range === null) return new Response(body, { headers })
  headers['content-range'] = `bytes ${range.start}-${range.end - 1}/${bytes.length}`
  return new Response(body, { status: 206, headers })
}

/** HEAD: what GET would say, without the bytes. */
export const excerptHead = (sha256: Sha256, size: number): Response =>
  new Response(null, { headers: excerptHeaders(sha256, size) })

function excerptHeaders(sha256: Sha256, length: number): Record<string, string> {
  return {
    ...validators(sha256),
    'content-type': 'application/octet-stream',
    'content-length': String(length),
    'content-disposition': `attachment; filename="${sha256}.bin"`,
    'accept-ranges': 'bytes',
    // Of the whole excerpt, also on a 206 (RFC 9530 section 3).
    'repr-digest': `sha-256=:${base64OfHex(sha256)}:`,
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
}

const validators = (sha256: Sha256): Record<string, string> => ({
  etag: `"${sha256}"`,
  'cache-control': 'private, max-age=31536000, immutable, no-transform',
})

const base64OfHex = (hex: string): string =>
  btoa(hex.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16))))
