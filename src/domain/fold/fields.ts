import { isBlank, isLetter } from './characters.ts'
import { firstWord, itemOf, skipBlanks } from './items.ts'
import { firstVisible } from './lines.ts'
import { isAt, skip, unitSet } from './unit-sets.ts'

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

const JOINERS = unitSet('-_')
const EMPHASIS = unitSet('*_')
const EMPHASIS_OR_TICK = unitSet('*_`')
const EMPHASIS_OR_BLANK = unitSet('*_` \t')
const DASHES_OR_CELL = unitSet('—–-|')

const LONGEST_NAME = 20
const LONGEST_LABEL = 60

/**
 * The field that a line begins with: `NAME: value`, `**NAME:** value`, `- **NAME** — value`,
 * `## NAME` or `| NAME | value |`. In a heading or emphasised the name may be written in any case
 * (`## Decision target`); a heading needs no colon.
 */
export function fieldOf(text: string, heading: boolean): Field | null {
  const start = firstWord(text)
  const cell = text.lastIndexOf('|', start) !== -1
  const emphasised = cell || isAt(text, start - 1, EMPHASIS_OR_TICK)
  const anyCase = heading || emphasised
  let end = start
  while (end < text.length && end - start < LONGEST_NAME && isNameUnit(text, end, anyCase)) end += 1
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1
  const name = nameOf(text.slice(start, end), anyCase)
  if (name === null) return null
  const value = behindSeparator(text, end, heading, emphasised)
  return value === -1 ? null : { name, column: start + 1, value }
}

/** `**Any words:** …`, `**Any words**: …` or with a dash: a bold label ends the value of the field above it. */
export function isLabel(text: string): boolean {
  const start = itemOf(text)?.text ?? firstVisible(text)
  if (!text.startsWith('**', start)) return false
  const label = text.slice(start + 2, start + 2 + LONGEST_LABEL)
  const close = label.indexOf('**')
  if (close < 1) return false
  const behind = label[skipBlanks(label, close + 2)] ?? ' '
  return label[close - 1] === ':' || ':—–'.includes(behind)
}

const isNameUnit = (text: string, index: number, anyCase: boolean): boolean =>
  isLetter(text.charCodeAt(index)) || isAt(text, index, JOINERS) || (anyCase && text[index] === ' ')

function nameOf(written: string, anyCase: boolean): FieldName | null {
  const name = anyCase ? written.toUpperCase().replaceAll(' ', '_') : written
  const spelled = name === 'MISSION_ID' ? 'MISSION-ID' : name
  return FIELD_NAMES.find((known) => known === spelled) ?? null
}

/** The value's offset behind `:`, behind a dash or a cell's bar; -1 where nothing separates. */
function behindSeparator(text: string, end: number, heading: boolean, emphasised: boolean): number {
  let index = skip(text, end, EMPHASIS_OR_BLANK)
  const separator = text[index]
  if (separator === ':') index += 1
  else if (separator !== undefined && emphasised && isAt(text, index, DASHES_OR_CELL)) index += 1
  else return heading && index === text.length ? index : -1
  // `**NAME:** value`: what closes the name's emphasis is no part of the value.
  return skipBlanks(text, skip(text, index, EMPHASIS))
}
