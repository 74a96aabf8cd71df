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
