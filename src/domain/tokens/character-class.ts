/**
 * What o200k_base's split pattern asks about a character, as bits; `END` is past the end.
 * A mark is HEAD, TAIL and SIGN at once: the pattern lets it stand in a word and among signs. The
 * classes are the engine's Unicode version: characters younger than the tokenizer's may differ by one.
 */
const END = 0
/** `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`: may stand in the first half of a word. */
export const HEAD = 1
/** `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: may stand in the second half of a word. */
export const TAIL = 2
export const NUMBER = 4
/** `\s` as Rust has it: U+0085 is one, U+FEFF is not; in JavaScript's `\s` it is the reverse. */
export const SPACE = 8
/** `[\r\n]`, and a SPACE too. */
export const NEWLINE = 16
/** `[^\s\p{L}\p{N}]`. */
export const SIGN = 32

/** The class of the code point at a byte of well-formed UTF-8. */
export function classAt(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) return END
  const lead = bytes[at] as number
  return lead < 0x80 ? (known[lead] as number) : classOf(codePointAt(bytes, at, lead))
}

/** How many bytes the code point takes that begins with this byte. */
export const widthOf = (lead: number): number =>
  lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4

function codePointAt(bytes: Uint8Array, at: number, lead: number): number {
  const second = (bytes[at + 1] as number) & 0x3f
  if (lead < 0xe0) return ((lead & 0x1f) << 6) | second
  const third = (bytes[at + 2] as number) & 0x3f
  if (lead < 0xf0) return ((lead & 0x0f) << 12) | (second << 6) | third
  const fourth = (bytes[at + 3] as number) & 0x3f
  return ((lead & 0x07) << 18) | (second << 12) | (third << 6) | fourth
}

// Filled as characters are met: classing all of Unicode at start would cost more than most texts.
const known = new Uint8Array(0x2_0000)
const beyond = new Map<number, number>()
for (let ascii = 0; ascii < 0x80; ascii++) known[ascii] = judge(ascii)

function classOf(codePoint: number): number {
  if (codePoint < known.length) {
    const found = known[codePoint] as number
    return found === 0 ? (known[codePoint] = judge(codePoint)) : found
  }
  const found = beyond.get(codePoint)
  if (found !== undefined) return found
  const judged = judge(codePoint)
  beyond.set(codePoint, judged)
  return judged
}

function judge(codePoint: number): number {
  const character = String.fromCodePoint(codePoint)
  if (/[\r\n]/.test(character)) return SPACE | NEWLINE
  if (/\p{White_Space}/u.test(character)) return SPACE
  if (/[\p{Lu}\p{Lt}]/u.test(character)) return HEAD
  if (/\p{Ll}/u.test(character)) return TAIL
  if (/[\p{Lm}\p{Lo}]/u.test(character)) return HEAD | TAIL
  if (/\p{M}/u.test(character)) return HEAD | TAIL | SIGN
  if (/\p{N}/u.test(character)) return NUMBER
  return SIGN
}
