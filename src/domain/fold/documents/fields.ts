import { asciiLower, isSpoken, isWordAt } from '../markdown/characters.ts'
import { firstWord, itemOf, skipBlanks } from '../markdown/items.ts'
import { firstVisible } from '../markdown/lines.ts'
import { BLANKS, isAt, skip, skipBack, unitSet } from '../markdown/unit-sets.ts'
import { behindNumber } from './section-titles.ts'

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

/** A field on a line: its 1-based column, and where its value starts and ends (0-based offsets). */
interface Field {
  readonly name: FieldName
  readonly column: number
  readonly value: number
  readonly end: number
  /** Whether it is a row of a table, whose value goes on in no other line. */
  readonly row: boolean
}

const JOINERS = unitSet('-_')
const JOINERS_OR_BLANK = unitSet('-_ ')
const EMPHASIS = unitSet('*_')
const EMPHASIS_OR_TICK = unitSet('*_`')
const EMPHASIS_OR_BLANK = unitSet('*_` \t')
const DASHES_OR_BAR = unitSet('—–-|')

const LONGEST_LABEL = 60

/**
 * The field that a line begins with: `NAME: value`, `**NAME:** value`, `- **NAME** — value`,
 * `## NAME` or `| NAME | value |`. In a heading or emphasised the name may be written in any case
 * (`## Decision target`), and a remark in brackets may stand behind it. A heading needs no colon; a
 * number may stand before its name, and a remark behind a dash.
 */
export function fieldOf(text: string, heading: boolean): Field | null {
  const start = heading ? behindHeadingMarks(text) : firstWord(text)
  const cell = text.lastIndexOf('|', start) !== -1
  const emphasised = cell || isAt(text, start - 1, EMPHASIS_OR_TICK)
  const found = nameAt(text, start, heading || emphasised)
  if (found === null) return null
  const value = valueStart(text, found, heading, emphasised)
  if (value === -1) return null
  const bar = cell ? text.indexOf('|', value) : -1
  const end = bar === -1 ? text.length : skipBack(text, value, bar, BLANKS)
  return { name: found.name, column: start + 1, value, end, row: cell }
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

/** Behind the hashes, signs and number of a heading: `## §6 NAME`. */
function behindHeadingMarks(text: string): number {
  const marks = behindSigns(text, firstWord(text))
  return behindSigns(text, marks + behindNumber(text.slice(marks)))
}

function behindSigns(text: string, from: number): number {
  let index = from
  while (index < text.length && !isSpoken(text.charCodeAt(index)) && text[index] !== '§') index += 1
  return index
}

interface Name {
  readonly name: FieldName
  readonly end: number
}

const ONE_TRIGGER = 'ESCALATION_TRIGGER'
const SPELLINGS = [...FIELD_NAMES, ONE_TRIGGER] as const

function nameAt(text: string, start: number, anyCase: boolean): Name | null {
  const spelling = SPELLINGS.find((known) => isSpelled(text, start, known, anyCase))
  if (spelling === undefined) return null
  const name = spelling === ONE_TRIGGER ? 'ESCALATION_TRIGGERS' : spelling
  return { name, end: start + spelling.length }
}

/** Whether the name stands there, and begins no longer word, as SCOPE does in `SCOPE_NOTES`. */
function isSpelled(text: string, start: number, spelling: string, anyCase: boolean): boolean {
  for (let index = 0; index < spelling.length; index++) {
    const unit = text[start + index] ?? ''
    const spelled = isAt(spelling, index, JOINERS)
      ? isAt(text, start + index, anyCase ? JOINERS_OR_BLANK : JOINERS)
      : unit === spelling[index] || (anyCase && asciiLower(spelling[index] ?? '') === unit)
    if (!spelled) return false
  }
  return !isWordAt(text, skip(text, start + spelling.length, JOINERS))
}

/** The value's offset behind `:`, behind a dash or a cell's bar; -1 where nothing separates. */
function valueStart(
  text: string,
  { name, end }: Name,
  heading: boolean,
  emphasised: boolean,
): number {
  const from = skip(text, end, EMPHASIS_OR_BLANK)
  const index = behindRemark(text, from)
  if (text[index] === ':' || (emphasised && isAt(text, index, DASHES_OR_BAR) && !heading))
    // `**NAME:** value`: what closes the name's emphasis is no part of the value.
    return skipBlanks(text, skip(text, index + 1, EMPHASIS))
  if (index === text.length) return heading || (emphasised && index > from) ? index : -1
  if (!heading) return -1
  // One word may stand behind a dash as the value; more words there are a remark.
  if (name === 'MISSION-ID' || name === 'STATUS')
    return isAt(text, index, DASHES_OR_BAR) ? skipBlanks(text, index + 1) : -1
  const remark = index > from || isAt(text, index, DASHES_OR_BAR) || name === 'ESCALATION_TRIGGERS'
  return remark ? text.length : -1
}

/** Behind `(a remark)` and what closes emphasis around it. */
function behindRemark(text: string, from: number): number {
  const close = text[from] === '(' ? text.indexOf(')', from) : -1
  return close === -1 ? from : skip(text, close + 1, EMPHASIS_OR_BLANK)
}
