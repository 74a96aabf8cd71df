import { utf8 } from '../bytes.ts'
import type { Bytes } from '../bytes.ts'
import { failure } from '../failure.ts'
import type { Failure } from '../failure.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { base64Bytes, base64Text } from './webhook-secret.ts'

/** How far a webhook's timestamp may be from now, in seconds (Standard Webhooks: 5 minutes). */
export const WEBHOOK_TOLERANCE_SECONDS = 300
/** Signatures that are looked at; a rotation needs two. */
const MAX_SIGNATURES = 10

const MAX_SIGNATURE_HEADER_CHARS = 4096
// Printable ASCII without the full stop that separates the signed parts.
const MESSAGE_ID = /^[!-\-/-~]{1,128}$/
// Whole seconds, canonical: `parseInt` would take `1674087231abc`, and 11 digits are milliseconds.
const UNIX_SECONDS = /^[1-9]\d{0,9}$/
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const

/** The three headers of a webhook, as sent. */
interface WebhookHeaders {
  readonly id: string | null
  readonly timestamp: string | null
  readonly signature: string | null
}

/** A webhook whose headers are well formed: not yet verified. */
export interface ClaimedWebhook {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly signatures: readonly string[]
}

/** Reads the headers strictly: what is missing, doubtful or too much is `webhook_malformed`. */
export function readWebhookHeaders(headers: WebhookHeaders): Result<ClaimedWebhook, Failure> {
  const { id, timestamp, signature } = headers
  if (!id || !timestamp || !signature) return malformed('a webhook header is missing')
  if (!MESSAGE_ID.test(id))
    return malformed('webhook-id: 1 to 128 printable characters, no full stop')
  if (!UNIX_SECONDS.test(timestamp)) return malformed('webhook-timestamp: whole unix seconds')
  if (signature.length > MAX_SIGNATURE_HEADER_CHARS) return malformed('webhook-signature: too long')
  const signatures = signature.split(' ')
  if (signatures.length > MAX_SIGNATURES)
    return malformed(`webhook-signature: at most ${MAX_SIGNATURES} signatures`)
  return ok({ id, timestamp: Number(timestamp), signatures })
}

/**
 * Null when one of the signatures is from one of the keys and the timestamp is within tolerance of
 * `now` (unix seconds). `webhook_timestamp_out_of_range`, `webhook_signature_invalid`.
 */
export async function verifyWebhook(
  claimed: ClaimedWebhook,
  body: Bytes,
  keys: readonly Bytes[],
  now: number,
): Promise<Failure | null> {
  if (Math.abs(now - claimed.timestamp) > WEBHOOK_TOLERANCE_SECONDS)
    return failure('webhook_timestamp_out_of_range')
  const content = signedContent(claimed.id, claimed.timestamp, body)
  const signatures = claimed.signatures.map(hmacOf).filter((bytes) => bytes !== null)
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['verify'])
    for (const signature of signatures)
      // Constant time: WebCrypto compares, not we.
      if (await crypto.subtle.verify('HMAC', imported, signature, content)) return null
  }
  return failure('webhook_signature_invalid')
}

/** The `webhook-signature` header: one `v1` signature a key, so that a rotation is seamless. */
export async function signWebhook(
  id: string,
  timestamp: number,
  body: Bytes,
  keys: readonly Bytes[],
): Promise<string> {
  const content = signedContent(id, timestamp, body)
  const signatures: string[] = []
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, HMAC, false, ['sign'])
    const signature = await crypto.subtle.sign('HMAC', imported, content)
    signatures.push(`v1,${base64Text(new Uint8Array(signature))}`)
  }
  return signatures.join(' ')
}

function signedContent(id: string, timestamp: number, body: Bytes): Bytes {
  const head = utf8(`${id}.${timestamp}.`)
  const content = new Uint8Array(head.length + body.length)
  content.set(head)
  content.set(body, head.length)
  return content
}

/** The HMAC of a `v1` entry; other versions (`v1a`: Ed25519) are not ours to verify. */
function hmacOf(entry: string): Bytes | null {
  if (!entry.startsWith('v1,')) return null
  const bytes = base64Bytes(entry.slice(3))
  return bytes?.length === 32 ? bytes : null
}

const malformed = (detail: string) => err(failure('webhook_malformed', { detail }))
