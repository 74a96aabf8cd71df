import type { Bytes } from './bytes.ts'

/** 64 lower-case hex digits: the SHA-256 of an excerpt's bytes (FIPS 180-4). */
export type Sha256 = string & { readonly __brand: 'Sha256' }

/** `memex://excerpt/<sha256>`: how transcripts and documents name an excerpt. */
export type Ref = string & { readonly __brand: 'Ref' }

export const REF_PREFIX = 'memex://excerpt/'
const SHA256 = /^[0-9a-f]{64}$/

export async function sha256(bytes: Bytes): Promise<Sha256> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))) as Sha256
}

/** A digest as it must be written: upper case and `sha256:` prefixes are refused, not repaired. */
export const parseSha256 = (text: string): Sha256 | null =>
  SHA256.test(text) ? (text as Sha256) : null

export const formatRef = (digest: Sha256): Ref => `${REF_PREFIX}${digest}` as Ref

/** The digest that a ref names, or null where the text is not exactly one ref. */
export const parseRef = (text: string): Sha256 | null =>
  text.startsWith(REF_PREFIX) ? parseSha256(text.slice(REF_PREFIX.length)) : null

export const digestOfRef = (ref: Ref): Sha256 => ref.slice(REF_PREFIX.length) as Sha256

// Not Uint8Array.prototype.toHex: Node 24 lacks it, and the domain runs there too.
function hex(bytes: Uint8Array): string {
  let digits = ''
  for (const byte of bytes) digits += byte.toString(16).padStart(2, '0')
  return digits
}
