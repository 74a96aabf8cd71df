import { BLANKS, skip, skipBack } from './unit-sets.ts'

/**
 * Which characters make up words, frozen: no `\w`, no Unicode property and no locale, whose answers
 * change with the engine. Everything beyond ASCII is part of a word (so a full-width digit, a
 * Cyrillic letter or a zero-width character never ends one) but for spaces, punctuation, symbols, and
 * the scripts that are written without spaces between words.
 */
const BETWEEN_WORDS: readonly (readonly [number, number])[] = [
  [0x00a0, 0x00a9],
  [0x00ab, 0x00ac],
  [0x00ae, 0x00b1],
  [0x00b4, 0x00b4],
  [0x00b6, 0x00b8],
  [0x00bb, 0x00bf],
  [0x00d7, 0x00d7],
  [0x00f7, 0x00f7],
  [0x2000, 0x200a],
  [0x2012, 0x2029],
  [0x202f, 0x205f],
  [0x20a0, 0x20cf],
  [0x2190, 0x245f],
  [0x2500, 0x2bff],
  [0x2e00, 0x2e7f],
  [0x3000, 0x303f],
  [0xd83c, 0xd83e], // the first halves of emoji
  [0xfe10, 0xfe1f],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff0f],
  [0xff1a, 0xff20],
  [0xff3b, 0xff40],
  [0xff5b, 0xff65],
  [0xffe0, 0xffee],
]

/** Kana, Bopomofo, Hangul and Han: letters that may stand directly beside an id. */
const UNSPACED_LETTERS: readonly (readonly [number, number])[] = [
  [0x3040, 0x318f],
  [0x31a0, 0x31ff],
  [0x3400, 0x9fff],
  [0xac00, 0xd7af],
  [0xd840, 0xd888], // the first halves of rare Han characters
  [0xf900, 0xfaff],
  [0xff66, 0xffdf],
]

/** What joins words without being said: soft hyphen, zero-width and direction marks, variations. */
const SILENT: readonly (readonly [number, number])[] = [
  [0x00ad, 0x00ad],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xdc00, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
]

const BETWEEN = 0
const WORD = 1
const UNSPACED = 2
const JOINING = 3

const classes = classTable()

/** Whether a UTF-16 unit is part of a word; a `_` is, a `-` is not. */
const isWord = (unit: number): boolean => classes[unit] === WORD || classes[unit] === JOINING

/** Whether a UTF-16 unit is a letter or a digit of any script, or begins one. */
export const isSpoken = (unit: number): boolean =>
  classes[unit] === WORD || classes[unit] === UNSPACED

/** Whether the character before `index` is part of a word. */
export function isWordBefore(text: string, index: number): boolean {
  const unit = text.charCodeAt(index - 1)
  if (index === 0 || unit === 0xfe0f) return false
  const low = unit >= 0xdc00 && unit <= 0xdfff
  return isWord(low && index > 1 ? text.charCodeAt(index - 2) : unit)
}

/** Whether the character at `index` is part of a word. */
export const isWordAt = (text: string, index: number): boolean =>
  index < text.length && isWord(text.charCodeAt(index))

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39
}

export function isUpper(unit: number): boolean {
  return unit >= 0x41 && unit <= 0x5a
}

export function isLetter(unit: number): boolean {
  return isUpper(unit) || (unit >= 0x61 && unit <= 0x7a)
}

export const isBlank = (unit: number): boolean => unit === 0x20 || unit === 0x09

/** A text without the blanks around it. */
export function trimBlanks(text: string): string {
  const start = skip(text, 0, BLANKS)
  return text.slice(start, skipBack(text, start, text.length, BLANKS))
}

/** Lower case of A to Z and of nothing else: U+212A is no k. */
export function asciiLower(text: string): string {
  let lower = ''
  let kept = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (!isUpper(unit)) continue
    lower += text.slice(kept, index) + String.fromCharCode(unit + 32)
    kept = index + 1
  }
  return kept === 0 ? text : lower + text.slice(kept)
}

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000).fill(WORD, 0x80)
  for (let unit = 0x30; unit < 0x80; unit++) if (isDigit(unit) || isLetter(unit)) table[unit] = WORD
  table[0x5f] = JOINING
  for (const [first, last] of BETWEEN_WORDS) table.fill(BETWEEN, first, last + 1)
  for (const [first, last] of UNSPACED_LETTERS) table.fill(UNSPACED, first, last + 1)
  for (const [first, last] of SILENT) table.fill(JOINING, first, last + 1)
  return table
}
