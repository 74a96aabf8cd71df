import { asciiLower, isDigit, trimBlanks } from '../markdown/characters.ts'
import { firstWord } from '../markdown/items.ts'
import { find, isAt, skip, unitSet } from '../markdown/unit-sets.ts'
import { valueOf, type Pair } from '../markdown/yaml-lines.ts'
import { idAt, idsIn } from '../sentences/ids.ts'
import { isNothing } from './nothing.ts'

/** What names an escalation trigger: its `ET-` id, or its text where it has none. */
interface TriggerName {
  readonly name: string
  /** 0-based offset in the line. */
  readonly start: number
}

/** The trigger that a line names first; its time, or the word trigger, may stand before it. */
export function leadingTrigger(text: string): TriggerName | null {
  const start = behindTriggerWord(text, behindTime(text, firstWord(text)))
  const id = idAt(text, start)
  return id?.kind === 'ET' ? { name: id.id, start } : null
}

/** The value of `trigger: …` or `trigger_id: …`, or null; a template (`ET-<n>`) names nothing. */
export function triggerValue(text: string, pairs: readonly Pair[]): TriggerName | null {
  const pair = pairs.find(isTrigger)
  if (pair === undefined) return null
  const value = valueOf(text, pair)
  const name = triggerName(value)
  if (name === '' || name.includes('<') || isNothing(name)) return null
  return { name, start: Math.max(pair.from, text.indexOf(name, pair.from)) }
}

/** What a written trigger is known by: its ET id, or its words as a mission declares them without one. */
export const triggerName = (written: string): string =>
  idsIn(written).find(({ kind }) => kind === 'ET')?.id ?? describedTrigger(written)

const isTrigger = ({ key }: Pair): boolean => key === 'trigger' || key === 'trigger_id'

/** A trigger's name where a list declares it without an id: up to the first dash or colon. */
export function describedTrigger(text: string): string {
  const start = firstWord(text)
  return trimBlanks(text.slice(start, find(text, start, NAME_ENDS)))
}

const NAME_ENDS = unitSet('—–:`*|')

const BEFORE_TIME = unitSet('Tt ')

/** The length of the ISO 8601 date, with a time or without, at `start`; 0 where there is none. */
export function timestampLength(text: string, start: number): number {
  const date = matches(text, start, 'dddd-dd-dd')
  if (date === 0) return 0
  let end = start + date
  const time = isAt(text, end, BEFORE_TIME) ? matches(text, end + 1, 'dd:dd') : 0
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

const BEHIND_WORD = unitSet('*_`[( \t')
const BEHIND_TIME = unitSet('*_`])|[:—–- \t')

/** Behind a timestamp, or a time of day alone. */
function behindTime(text: string, from: number): number {
  const length = timestampLength(text, from) || matches(text, from, 'dd:dd')
  if (length === 0) return from
  const seconds = matches(text, from + length, ':dd')
  return skip(text, from + length + seconds, BEHIND_TIME)
}

const TRIGGER_WORDS = ['escalation_trigger', 'trigger', 'escalation'] as const

function behindTriggerWord(text: string, from: number): number {
  const written = asciiLower(text.slice(from, from + 20))
  const word = TRIGGER_WORDS.find((known) => written.startsWith(known))
  return word === undefined ? from : skip(text, from + word.length, BEHIND_WORD)
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
