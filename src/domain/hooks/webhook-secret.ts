import type { Bytes } from '../bytes.ts'

const PREFIX = 'whsec_'
// Standard Webhooks, "Signature scheme": 24 bytes at least, 64 at most.
const MIN_SECRET_BYTES = 24
const MAX_SECRET_BYTES = 64
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

/** The key bytes of a secret in base64, with or without `whsec_` and padding; null where it is none. */
export function webhookKey(secret: string): Bytes | null {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret
  const bytes = base64Bytes(text)
  if (bytes === null) return null
  return bytes.length < MIN_SECRET_BYTES || bytes.length > MAX_SECRET_BYTES ? null : bytes
}

/** The bytes of a base64 text (RFC 4648 section 4), padded or not; null where it is none. */
export function base64Bytes(text: string): Bytes | null {
  if (!BASE64.test(text)) return null
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

export function base64Text(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}
