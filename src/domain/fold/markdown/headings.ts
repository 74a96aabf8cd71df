import { isBlank, trimBlanks } from './characters.ts'
import { isIndentedCode } from './fences.ts'
import { firstVisible, type Line } from './lines.ts'

/** `## Title`: level 1 to 6, the title without its marks, and the 1-based column of the first #. */
export interface Heading {
  readonly level: number
  readonly title: string
  readonly column: number
}

/** The heading on a line (ATX, CommonMark 0.31.2 section 4.2), or null; none inside a fence. */
export const headingOf = (line: Line): Heading | null =>
  line.place === 'text' ? headingIn(line.text) : null

/** The heading that a text would be outside a fence. */
export function headingIn(text: string): Heading | null {
  const first = firstVisible(text)
  if (text[first] !== '#' || isIndentedCode(text, first)) return null
  let start = first
  while (text[start] === '#') start += 1
  const level = start - first
  if (level > 6 || (start < text.length && !isBlank(text.charCodeAt(start)))) return null
  return { level, title: withoutClosingMarks(trimBlanks(text.slice(start))), column: first + 1 }
}

/** `---`, `***`, `___` and `===`: a line of one repeated mark says nothing. */
export function isRule(text: string): boolean {
  const first = firstVisible(text)
  const mark = text[first]
  if (mark === undefined || !'-*_='.includes(mark)) return false
  let marks = 0
  for (let index = first; index < text.length; index++) {
    if (text[index] === mark) marks += 1
    else if (!isBlank(text.charCodeAt(index))) return false
  }
  return marks >= 3
}

function withoutClosingMarks(title: string): string {
  let end = title.length
  while (title[end - 1] === '#') end -= 1
  return end === title.length || (end > 0 && !isBlank(title.charCodeAt(end - 1)))
    ? title
    : trimBlanks(title.slice(0, end))
}
