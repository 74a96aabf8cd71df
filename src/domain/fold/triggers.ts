import { asciiLower, isBlank, isDigit, trimBlanks } from './characters.ts'
import { idAt } from './ids.ts'
import { firstWord, skipBlanks } from './items.ts'

/** What names an escalation trigger: its `ET-` id, or its text where it has none. */
export interface TriggerName {
  readonly name: string
  /** 0-based offset in the line. */
  readonly start: number
}

/** The trigger that a list item, a table row or a heading names first, behind a timestamp or not. */
export function leadingTrigger(text: string): TriggerName | null {
  const start = behindTimestamp(text, behindKey(text, firstWord(text)))
  const id = idAt(text, start)
  return id?.kind === 'ET' ? { name: id.id, start } : null
}

/** The value of `trigger: …` or `trigger_id: …`, or null; a template (`ET-<n>`) names nothing. */
export function triggerValue(text: string): TriggerName | null {
  const word = firstWord(text)
  const start = behindKey(text, word)
  if (start === word) return null
  const value = valueAt(text, start)
  const id = idAt(value, 0)
  if (id?.kind === 'ET') return { name: id.id, start: start + text.slice(start).indexOf(id.id) }
  return value === '' || value.includes('<') ? null : { name: value, start }
}

const KEYS = ['trigger_id', 'trigger'] as const

/** Behind `trigger:` or `trigger_id:` and the quotes of its value; `from` where neither stands. */
function behindKey(text: string, from: number): number {
  const written = asciiLower(text.slice(from, from + 10))
  const key = KEYS.find((name) => written.startsWith(name))
  if (key === undefined) return from
  let index = from + key.length
  while ('*_`"\' '.includes(text[index] ?? '-')) index += 1
  if (text[index] !== ':') return from
  index += 1
  while (
    index < text.length &&
    ('*_`"\''.includes(text[index] ?? '') || isBlank(text.charCodeAt(index)))
  )
    index += 1
  return index
}

/** The text of a plain or quoted YAML scalar, or of a flow mapping's member. */
function valueAt(text: string, start: number): string {
  let end = start
  while (end < text.length && !',}"\'`#'.includes(text[end] ?? '')) end += 1
  return trimBlanks(text.slice(start, end))
}

/** A trigger's name where a list declares it without an id: up to the first dash or colon. */
export function describedTrigger(text: string): string {
  const start = firstWord(text)
  let end = start
  while (end < text.length && !'—–:`*|'.includes(text[end] ?? '')) end += 1
  return trimBlanks(text.slice(start, end))
}

/** The length of the ISO 8601 date, with a time or without, at `start`; 0 where there is none. */
export function timestampLength(text: string, start: number): number {
  const date = matches(text, start, 'dddd-dd-dd')
  if (date === 0) return 0
  let end = start + date
  const time = 'Tt '.includes(text[end] ?? '-') ? matches(text, end + 1, 'dd:dd') : 0
  if (time === 0) return isDigit(text.charCodeAt(end)) ? 0 : end - start
  end += 1 + time
  end += matches(text, end, ':dd')
  if (text[end] === '.' && isDigit(text.charCodeAt(end + 1))) {
    end += 1
    while (isDigit(text.charCodeAt(end))) end += 1
  }
  if (text[end] === 'Z' || text[end] === 'z') return end + 1 - start
  const offset = matches(text, end, '+dd:dd') || matches(text, end, '-dd:dd')
  return end + offset - start
}

function behindTimestamp(text: string, from: number): number {
  const length = timestampLength(text, from)
  return length === 0 ? from : firstMarkless(text, from + length)
}

function firstMarkless(text: string, from: number): number {
  let index = from
  while (index < text.length && '*_`])|:—–- \t['.includes(text[index] ?? '')) index += 1
  return skipBlanks(text, index)
}

/** The pattern's length where `text` has it at `start`; `d` stands for a digit. */
function matches(text: string, start: number, pattern: string): number {
  for (let index = 0; index < pattern.length; index++) {
    const wanted = pattern[index]
    const unit = start + index
    if (wanted === 'd' ? !isDigit(text.charCodeAt(unit)) : text[unit] !== wanted) return 0
  }
  return pattern.length
}
