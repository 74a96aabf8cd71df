import { isBlank, isDigit, isLetter } from './characters.ts'
import { firstVisible } from './lines.ts'
import { BLANKS, isAt, skip, unitSet } from './unit-sets.ts'

/** The list item that a line begins: where its marker stands and where its text starts. */
interface Item {
  readonly marker: number
  readonly text: number
}

/** `- x`, `* x`, `+ x`, `1. x`, `1) x`, with a check box or without; or null. */
export function itemOf(text: string): Item | null {
  const marker = firstVisible(text)
  let end = marker
  if (isAt(text, marker, BULLETS)) end += 1
  else {
    while (isDigit(text.charCodeAt(end)) && end - marker < 9) end += 1
    if (end === marker || (text[end] !== '.' && text[end] !== ')')) return null
    end += 1
  }
  if (end < text.length && !isBlank(text.charCodeAt(end))) return null
  return { marker, text: behindCheckBox(text, skipBlanks(text, end)) }
}

/** Marks that may stand before the first word of a line: quotes, headings, emphasis, cells, links. */
const LEADING_MARKS = unitSet('>#*_`"\'[(|{~ \t')
const BULLETS = unitSet('-*+')

/** Where the first word of a line starts, behind list markers and any other marks. */
export function firstWord(text: string): number {
  const first = firstVisible(text)
  // Most lines begin with a letter.
  if (isLetter(text.charCodeAt(first))) return first
  const index = skip(text, itemOf(text)?.text ?? first, LEADING_MARKS)
  const unit = text.charCodeAt(index)
  // Letters begin no second marker, as in `> 1. x`.
  const inner = index > 0 && !isLetter(unit) ? itemOf(text.slice(index)) : null
  return inner === null ? index : index + inner.text
}

export const skipBlanks = (text: string, from: number): number => skip(text, from, BLANKS)

function behindCheckBox(text: string, start: number): number {
  const box = text.slice(start, start + 3)
  return box === '[ ]' || box === '[x]' || box === '[X]' ? skipBlanks(text, start + 3) : start
}
