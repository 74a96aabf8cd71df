import { isBlank, isLetter } from './characters.ts'
import { firstWord, itemOf, skipBlanks } from './items.ts'
import { firstVisible } from './lines.ts'

/** The named fields of mission.md and of a fold's header, as documents spell them. */
const FIELD_NAMES = [
  'MISSION-ID',
  'GOAL',
  'DECISION_TARGET',
  'SCOPE_INCLUDE',
  'SCOPE_EXCLUDE',
  'SCOPE',
  'STATUS',
  'BUDGET',
  'STOP_CONDITIONS',
  'ESCALATION_TRIGGERS',
  'HANDOFF_RECIPIENTS',
  'ACCEPTANCE_NOTES',
] as const
export type FieldName = (typeof FIELD_NAMES)[number]

/** A field on a line: its 1-based column, and where its value starts (0-based offset). */
export interface Field {
  readonly name: FieldName
  readonly column: number
  readonly value: number
}

const LONGEST_NAME = 20
const LONGEST_LABEL = 60

/**
 * The field that a line begins with: `NAME: value`, `**NAME:** value`, `- **NAME** — value`,
 * `## NAME` or `| NAME | value |`. In a heading the name may be written in any case
 * (`## Decision target`) and needs no colon.
 */
export function fieldOf(text: string, heading: boolean): Field | null {
  const start = firstWord(text)
  let end = start
  while (end < text.length && end - start < LONGEST_NAME && isNameUnit(text, end, heading)) end += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  const name = nameOf(text.slice(start, end), heading)
  if (name === null) return null
  const value = behindSeparator(text, start, end, heading)
  return value === -1 ? null : { name, column: start + 1, value }
}

/** `**Any words:** …` or `**Any words**: …`: a bold label ends the value of the field above it. */
export function isLabel(text: string): boolean {
  const start = itemOf(text)?.text ?? firstVisible(text)
  if (!text.startsWith('**', start)) return false
  const label = text.slice(start + 2, start + 2 + LONGEST_LABEL)
  const close = label.indexOf('**')
  return close > 0 && (label[close - 1] === ':' || label[close + 2] === ':')
}

const isNameUnit = (text: string, index: number, heading: boolean): boolean =>
  isLetter(text.charCodeAt(index)) ||
  '-_'.includes(text[index] ?? ' ') ||
  (heading && text[index] === ' ')

function nameOf(written: string, heading: boolean): FieldName | null {
  const name = heading ? written.toUpperCase().replaceAll(' ', '_') : written
  const spelled = name === 'MISSION_ID' ? 'MISSION-ID' : name
  return FIELD_NAMES.find((known) => known === spelled) ?? null
}

/** The value's offset behind `:`, behind a dash or a cell's bar; -1 where nothing separates. */
function behindSeparator(text: string, start: number, end: number, heading: boolean): number {
  const emphasised = start > 0 && '*_`|'.includes(text[start - 1] ?? '')
  let index = skipMarks(text, end)
  const separator = text[index]
  if (separator === ':') index += 1
  else if (separator !== undefined && emphasised && '—–-|'.includes(separator)) index += 1
  else return heading && index === text.length ? index : -1
  return skipBlanks(text, skipEmphasis(text, index))
}

function skipMarks(text: string, from: number): number {
  let index = from
  while (
    index < text.length &&
    ('*_`'.includes(text[index] ?? '') || isBlank(text.charCodeAt(index)))
  )
    index += 1
  return index
}

/** `**NAME:** value`: what closes the name's emphasis is no part of the value. */
function skipEmphasis(text: string, from: number): number {
  let index = from
  while (text[index] === '*' || text[index] === '_') index += 1
  return index
}
