/** A set of UTF-16 units, for scanners: `set[unit] === 1` where it is a member. */
export type UnitSet = Uint8Array

/** The set of the characters of a text, none of them beyond U+FFFF. */
export function unitSet(characters: string): UnitSet {
  const codes = Array.from(characters, (character) => character.charCodeAt(0))
  const set = new Uint8Array(Math.max(...codes) + 1)
  for (const code of codes) set[code] = 1
  return set
}

/** Whether the unit at `index` is a member; not beyond the text. */
export const isAt = (text: string, index: number, set: UnitSet): boolean =>
  index >= 0 && index < text.length && set[text.charCodeAt(index)] === 1

/** The first offset from `from` on whose unit is no member, or the text's length. */
export function skip(text: string, from: number, set: UnitSet): number {
  let index = from
  while (index < text.length && set[text.charCodeAt(index)] === 1) index += 1
  return index
}

/** The first offset from `from` on whose unit is a member, or the text's length. */
export function find(text: string, from: number, set: UnitSet): number {
  let index = from
  while (index < text.length && set[text.charCodeAt(index)] !== 1) index += 1
  return index
}

/** The offset behind the last unit before `to` that is no member, `from` at least. */
export function skipBack(text: string, from: number, to: number, set: UnitSet): number {
  let end = to
  while (end > from && set[text.charCodeAt(end - 1)] === 1) end -= 1
  return end
}

/** Space and tab: the only blanks inside a line. */
export const BLANKS = unitSet(' \t')
