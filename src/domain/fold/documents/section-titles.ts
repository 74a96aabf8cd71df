import { asciiLower, isBlank, isDigit, trimBlanks } from '../markdown/characters.ts'
import type { SectionNumber } from './contract.ts'

/** The titles of the contract; a heading with one of them begins that section at any level. */
const TITLES: Readonly<Record<string, SectionNumber>> = {
  'mission header': 1,
  'decision-ready answer': 2,
  'findings index': 3,
  'open questions / gaps': 4,
  'escalation log': 5,
}

/** Near titles: they count in a heading that is not deeper than the first section's. */
const NEAR_TITLES: Readonly<Record<string, SectionNumber>> = {
  header: 1,
  'decision ready answer': 2,
  answer: 2,
  index: 3,
  'open questions/gaps': 4,
  'open questions and gaps': 4,
  'open questions': 4,
  gaps: 4,
  escalations: 5,
}

const LONGEST_TITLE = 80

interface SectionTitle {
  readonly number: SectionNumber
  /** Whether the title carried a number of its own, as in `1. Mission header`. */
  readonly numbered: boolean
  readonly near: boolean
}

/** The section that a title names (numbering, emphasis, case and a colon aside), or null. */
export function sectionTitle(title: string): SectionTitle | null {
  if (title.length > LONGEST_TITLE) return null
  const marked = withoutMarks(title)
  const start = behindNumber(marked)
  const name = asciiLower(trimBlanks(marked.slice(start)))
  const own = Object.hasOwn(TITLES, name) ? TITLES[name] : undefined
  const near = Object.hasOwn(NEAR_TITLES, name) ? NEAR_TITLES[name] : undefined
  const number = own ?? near
  return number === undefined ? null : { number, numbered: start > 0, near: own === undefined }
}

/** Emphasis, backticks, a closing colon and a remark in brackets behind it are not part of a title. */
function withoutMarks(title: string): string {
  let plain = ''
  for (const character of title) if (!'*_`'.includes(character)) plain += character
  plain = trimBlanks(plain)
  const remark = plain.endsWith(')') ? plain.lastIndexOf(' (') : -1
  if (remark > 0) plain = trimBlanks(plain.slice(0, remark))
  return plain.endsWith(':') ? trimBlanks(plain.slice(0, -1)) : plain
}

/** Behind the number of a title: `1. `, `1.2 `, `1) `, `1: `, `1 - `, `§1 ` and `Section 1: `. */
export function behindNumber(title: string): number {
  let index = 0
  if (title[0] === '§') index = 1
  else if (asciiLower(title.slice(0, 8)) === 'section ') index = 8
  const digits = index
  while (isDigit(title.charCodeAt(index))) index += title[index + 1] === '.' ? 2 : 1
  if (index === digits) return 0
  while (
    index < title.length &&
    (isBlank(title.charCodeAt(index)) || '.):-–—'.includes(title[index] ?? ''))
  )
    index += 1
  return index
}
