/** Bytes that WebCrypto, R2 and Response all accept; this file has the only casts between them. */
export type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()
// ignoreBOM keeps a leading U+FEFF in the text: by default the decoder would swallow it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The UTF-8 bytes of a text. Lone surrogates have none: test `text.isWellFormed()` first. */
export const utf8 = (text: string): Bytes => encoder.encode(text) as Bytes

/** The text of UTF-8 bytes, BOM kept, or null where the bytes are not UTF-8. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Where bytes stop being UTF-8: how many of them are whole characters before; null where all are. */
export function utf8ErrorOffset(bytes: Uint8Array): number | null {
  if (utf8Text(bytes) !== null) return null
  let good = 0
  let wrong = bytes.length + 1
  while (wrong - good > 1) {
    const middle = (good + wrong) >> 1
    if (begins(bytes.subarray(0, middle))) good = middle
    else wrong = middle
  }
  // What begins well may end inside a character: those bytes are not UTF-8 either.
  while (utf8Text(bytes.subarray(0, good)) === null) good -= 1
  return good
}

function begins(prefix: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(prefix, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The length of a well-formed text in UTF-8 bytes, without making them. */
export function utf8Length(text: string): number {
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) length += 1
    else if (unit < 0x800) length += 2
    else if (unit >= 0xd800 && unit < 0xdc00) {
      length += 4
      index += 1
    } else length += 3
  }
  return length
}

/** Base64 with padding (RFC 4648 section 4), on runtimes without `Uint8Array.prototype.toBase64` too. */
export function base64(bytes: Uint8Array): string {
  // In slices: a call can take only so many arguments.
  let binary = ''
  for (let start = 0; start < bytes.length; start += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(start, start + 0x8000))
  return btoa(binary)
}
