import {
  describedTrigger,
  leadingTrigger,
  timestampLength,
  triggerValue,
} from '../documents/triggers.ts'
import { asciiLower, isSpoken } from '../markdown/characters.ts'
import { firstWord } from '../markdown/items.ts'
import type { Line } from '../markdown/lines.ts'
import type { Position } from '../markdown/position.ts'
import { pairsOf, type Pair } from '../markdown/yaml-lines.ts'
import { idsIn } from '../sentences/ids.ts'
import { placeOf, sectionOf, type Facts } from './facts.ts'
import type { Issue, Warning } from './verdict.ts'

/** Every declared trigger that fired begins an entry of section 5, with its time and its resolution. */
export function* triggersLogged(facts: Facts): Iterable<Issue> {
  const place = placeOf(facts.fold, 5)
  const required = declaredAndFired(facts)
  const entries = entriesOf(sectionOf(facts.fold, 5)?.lines ?? [], new Set(required))
  for (const id of required) {
    const entry = entries.get(id)
    if (entry === undefined)
      yield {
        code: 'trigger_missing',
        message: `${id} fired, but is not in the escalation log.`,
        ...place,
        id,
        hint: `Section 5 needs a line "${id} | timestamp | resolution".`,
      }
    else if (!entry.timed || !entry.resolved)
      yield {
        code: entry.timed ? 'trigger_without_resolution' : 'trigger_without_timestamp',
        message: `${id} has no ${entry.timed ? 'resolution' : 'timestamp'} in the escalation log.`,
        line: entry.line,
        column: entry.column,
        id,
        hint: entry.timed
          ? 'Say behind its time what came of it.'
          : 'Write when it fired, in ISO 8601, as in 2026-11-30T09:12:00Z.',
      }
  }
}

/** The triggers that section 5 must log. */
export const declaredAndFired = ({ mission, fired }: Facts): readonly string[] =>
  [...fired].filter((trigger) => mission.triggers.has(trigger))

export function* triggerWarnings({ mission, fired }: Facts): Iterable<Warning> {
  for (const id of fired)
    if (!mission.triggers.has(id))
      yield {
        code: 'trigger_not_declared',
        message: `${id} fired, but mission.md does not declare it under ESCALATION_TRIGGERS.`,
        id,
      }
}

interface Entry extends Position {
  timed: boolean
  resolved: boolean
}

/** An entry begins where a line names a trigger first, and lasts until the next does. */
function entriesOf(
  lines: readonly Line[],
  required: ReadonlySet<string>,
): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  let entry: Entry | null = null
  for (const line of lines) {
    if (line.place === 'fence') continue
    const pairs = pairsOf(line.text)
    const named = triggerValue(line.text, pairs) ?? leadingTrigger(line.text)
    const name = named?.name ?? describedTrigger(line.text)
    if (named !== null || required.has(name)) {
      const column = (named?.start ?? firstWord(line.text)) + 1
      entry = entries.get(name) ?? { line: line.number, column, timed: false, resolved: false }
      entries.set(name, entry)
    }
    if (entry !== null) readEntryLine(entry, line.text, pairs)
  }
  return entries
}

const RESOLVING_KEYS: ReadonlySet<string> = new Set([
  'resolution',
  'action_taken',
  'action',
  'outcome',
  'status',
  'note',
])
const OTHER_KEYS: ReadonlySet<string> = new Set([
  'trigger',
  'trigger_id',
  'fired_at',
  'timestamp',
  'at',
  'on_probe',
  'on_path',
])

function readEntryLine(entry: Entry, text: string, pairs: readonly Pair[]): void {
  const known = pairs.filter(({ key }) => RESOLVING_KEYS.has(key) || OTHER_KEYS.has(key))
  for (const { key, from, to } of known.length > 0 ? known : [wholeLine(text)]) {
    const said = readWords(text.slice(from, to))
    entry.timed ||= said.timestamp
    entry.resolved ||= RESOLVING_KEYS.has(key) && said.words
  }
}

const wholeLine = (text: string): Pair => ({ key: 'note', start: 0, from: 0, to: text.length })

/** Words that say that a trigger fired, and nothing of what came of it. */
const FIRING_WORDS: ReadonlySet<string> = new Set([
  'fired',
  'at',
  'on',
  'trigger',
  'timestamp',
  'resolution',
])

/** Whether a text has a timestamp, and words beside timestamps, ids and `fired at`. */
function readWords(text: string): { readonly timestamp: boolean; readonly words: boolean } {
  const ids = idsIn(text)
  const said = { timestamp: false, words: false }
  let next = 0
  for (let index = 0; index < text.length;) {
    const length = timestampLength(text, index)
    const id = ids[next]
    if (id !== undefined && id.start <= index) {
      index = Math.max(index, id.end)
      next += 1
    } else if (length > 0) {
      said.timestamp = true
      index += length
    } else if (isSpoken(text.charCodeAt(index))) {
      const start = index
      while (index < text.length && isSpoken(text.charCodeAt(index))) index += 1
      said.words ||= !FIRING_WORDS.has(
        asciiLower(text.slice(start, start + 12)).slice(0, index - start),
      )
    } else index += 1
  }
  return said
}
