import { classAt, HEAD, NEWLINE, NUMBER, SIGN, SPACE, TAIL, widthOf } from './character-class.ts'

/**
 * Where the piece that starts at a byte ends, as o200k_base splits text before it merges
 * (openai/tiktoken, tiktoken_ext/openai_public.py, `o200k_base`):
 *
 *     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *     [^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
 *     \p{N}{1,3}
 *      ?[^\s\p{L}\p{N}]+[\r\n/]*
 *     \s*[\r\n]+
 *     \s+(?!\S)
 *     \s+
 *
 * A scanner, since the pattern as a regex differs between engines in U+0085, U+FEFF and U+017F.
 * All pieces of a text together take linear time.
 */
export function pieceEnd(bytes: Uint8Array, start: number): number {
  const first = classAt(bytes, start)
  if ((first & NUMBER) !== 0) return numberEnd(bytes, start)
  if ((first & NEWLINE) === 0) {
    const word = wordEnd(bytes, start, first)
    if (word !== start) return word
  }
  const signs = signsEnd(bytes, start)
  return signs === start ? spacesEnd(bytes, start) : signs
}

/** The end of the first two alternatives, their backtracking spelt out; `start` where none fits. */
function wordEnd(bytes: Uint8Array, start: number, first: number): number {
  const led = (first & (SIGN | SPACE)) !== 0
  const from = led ? next(bytes, start) : start
  let at = from
  let lastEither = 0
  let kind = classAt(bytes, at)
  while ((kind & HEAD) !== 0) {
    at = next(bytes, at)
    if ((kind & TAIL) !== 0) lastEither = at
    kind = classAt(bytes, at)
  }
  if ((kind & TAIL) !== 0) {
    while ((kind & TAIL) !== 0) {
      at = next(bytes, at)
      kind = classAt(bytes, at)
    }
    return contractionEnd(bytes, at)
  }
  // No lower case follows: the first half gives back until its last character is a second half.
  if (lastEither !== 0) return contractionEnd(bytes, lastEither)
  // Then without the optional lead, which only a mark can be: it is a second half on its own.
  if (led && (first & TAIL) !== 0) return contractionEnd(bytes, from)
  return at === from ? start : contractionEnd(bytes, at)
}

/** After `(?i:'s|'t|'re|'ve|'m|'ll|'d)?`; the fold of `s` in Rust includes U+017F. */
function contractionEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x27) return at
  const letter = (bytes[at + 1] ?? 0) | 0x20
  if (letter === 0x73 || letter === 0x74 || letter === 0x6d || letter === 0x64) return at + 2
  if (bytes[at + 1] === 0xc5 && bytes[at + 2] === 0xbf) return at + 3
  const second = (bytes[at + 2] ?? 0) | 0x20
  if ((letter === 0x72 || letter === 0x76) && second === 0x65) return at + 3
  return letter === 0x6c && second === 0x6c ? at + 3 : at
}

function numberEnd(bytes: Uint8Array, start: number): number {
  let at = start
  for (let digits = 0; digits < 3 && (classAt(bytes, at) & NUMBER) !== 0; digits++)
    at = next(bytes, at)
  return at
}

function signsEnd(bytes: Uint8Array, start: number): number {
  const from = bytes[start] === 0x20 ? start + 1 : start
  let at = from
  while ((classAt(bytes, at) & SIGN) !== 0) at = next(bytes, at)
  if (at === from) return start
  while (bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x2f) at += 1
  return at
}

/** A run of spaces ends after its last newline, else before the space that leads what follows. */
function spacesEnd(bytes: Uint8Array, start: number): number {
  let at = start
  let last = start
  let afterNewline = 0
  for (let kind = classAt(bytes, at); (kind & SPACE) !== 0; kind = classAt(bytes, at)) {
    last = at
    at = next(bytes, at)
    if ((kind & NEWLINE) !== 0) afterNewline = at
  }
  if (afterNewline !== 0) return afterNewline
  return at === bytes.length || last === start ? at : last
}

const next = (bytes: Uint8Array, at: number): number => at + widthOf(bytes[at] as number)
