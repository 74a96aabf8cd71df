import { asciiLower, trimBlanks } from '../../markdown/characters.ts'
import type { Heading } from '../../markdown/headings.ts'
import { firstVisible, type Line } from '../../markdown/lines.ts'
import { isAt, skip, skipBack, unitSet } from '../../markdown/unit-sets.ts'
import { valueOf, type Pair } from '../../markdown/yaml-lines.ts'
import { idAt, idsIn } from '../../sentences/ids.ts'
import { isNothing } from '../nothing.ts'
import { leadingTrigger, timestampLength, triggerValue } from '../triggers.ts'

/**
 * Reads the escalation log of findings.md, line by line: gives the triggers that a line says have
 * fired. One fires where an entry says `trigger: ET-1`, or where a line of the log begins with it and
 * does not deny it. An entry without a time fires too: a trigger must not vanish with its time.
 */
export function createEscalationLog() {
  let log: number | null = null // the level of the log's title, while inside it
  let quiet: number | null = null // of a title inside it that says what did not fire

  function readTitle({ words, level }: Title): void {
    if (quiet !== null && level <= quiet) quiet = null
    if (log !== null && level <= log) log = null
    const named = words.includes('escalation log')
    if (named || (isLogTitle(words) && !denies(words))) log ??= level
    else if (log !== null && (denies(words) || words.includes('declared'))) quiet ??= level
  }

  return {
    fired(line: Line, heading: Heading | null, pairs: readonly Pair[]): readonly string[] {
      const title = titleOf(line, heading, pairs)
      if (title !== null) readTitle(title)
      const value = triggerValue(line.text, pairs)
      if (value !== null)
        return log !== null || value.name.startsWith('ET-') ? [value.name] : NOBODY
      return log === null || quiet !== null ? NOBODY : firedIn(line.text, pairs)
    },
  }
}

const NOBODY: readonly string[] = []

/** What divides findings.md: a heading, or a line that is nothing but a label. */
interface Title {
  /** In small letters. */
  readonly words: string
  readonly level: number
}

/** The level of a title that stands in a line of its own, below every heading. */
const IN_A_LINE = 7
const LONGEST_TITLE = 60
const LOG_KEYS: ReadonlySet<string> = new Set(['escalation_log', 'escalations', 'fired_triggers'])

function titleOf(line: Line, heading: Heading | null, pairs: readonly Pair[]): Title | null {
  if (heading !== null) return { words: wordsOf(heading.title), level: heading.level }
  const { text } = line
  const [first] = pairs
  if (first !== undefined && LOG_KEYS.has(first.key) && !isNothing(valueOf(text, first)))
    return { words: wordsOf(first.key), level: IN_A_LINE }
  if (line.place !== 'text' || !isAt(text, text.length - 1, BEHIND_LABEL)) return null
  const start = firstVisible(text)
  const end = skipBack(text, start, text.length, BEHIND_LABEL)
  if (end - start > LONGEST_TITLE) return null
  const label = text.slice(skip(text, start, BEFORE_LABEL), end)
  const words = wordsOf(label)
  // Any bold label ends a log that began with one; a plain one may be a key of an entry.
  const bold = line.after_blank && text.startsWith('**', start)
  const divides = bold || (text.includes(':', end) && isLogTitle(words))
  return divides && idsIn(label).length === 0 ? { words, level: IN_A_LINE } : null
}

const BEFORE_LABEL = unitSet('*_ \t')
const BEHIND_LABEL = unitSet(':*_ \t')

// Most titles say nothing that matters here, and need no copy.
const wordsOf = (title: string): string =>
  TELLING.test(title) ? asciiLower(title.slice(0, LONGEST_TITLE)).replaceAll('_', ' ') : ''

const TELLING = /escalation|fire|trigger|declared/i

const isLogTitle = (words: string): boolean =>
  words.includes('escalation log') ||
  words.includes('escalations') ||
  (words.includes('fired') && (words.includes('trigger') || words.includes('escalation')))

const DENIALS = [
  'not fire',
  "n't fire",
  'never fire',
  'none fire',
  'unfired',
  'not trigger',
  "n't trigger",
  'never trigger',
  'no trigger',
  'no escalation',
] as const

const denies = (words: string): boolean => DENIALS.some((denial) => words.includes(denial))

const ID_KEYS: ReadonlySet<string> = new Set(['id', 'escalation', 'escalation_id', 'fired'])

function firedIn(text: string, pairs: readonly Pair[]): readonly string[] {
  const named = pairs.find(({ key }) => ID_KEYS.has(key))
  const start =
    leadingTrigger(text)?.start ?? (named && idAt(text, skip(text, named.from, QUOTES))?.start)
  return start === undefined ? [] : firedFrom(text, start)
}

const QUOTES = unitSet('"\'`*_[ \t')

/** The triggers of `ET-1, ET-2 — halted`, which begin at `start`; none where the entry denies it. */
function firedFrom(text: string, start: number): readonly string[] {
  const rest = text.slice(start)
  const fired: string[] = []
  let end = 0
  for (const id of idsIn(rest)) {
    if (id.kind !== 'ET') break
    if (fired.length > 0 && !joins(rest.slice(end, id.start))) {
      return hasTimestamp(text) || !saysNo(rest.slice(end, id.start)) ? fired : []
    }
    fired.push(id.id)
    end = id.end
  }
  return hasTimestamp(text) || !saysNo(rest.slice(end)) ? fired : []
}

const BETWEEN_IDS = unitSet(',/&*_`[]+ \t')

const joins = (between: string): boolean =>
  skip(between, 0, BETWEEN_IDS) === between.length || trimBlanks(between) === 'and'

const SEPARATORS = unitSet(':|—–-')
const CELL_ENDS = ['|', ',', ';', '.', '('] as const

/** `: not fired`, `— n/a`, `| no | threshold not reached |`, `| — | — |`. */
function saysNo(entry: string): boolean {
  if (denies(asciiLower(entry))) return true
  const separator = skip(entry, 0, QUOTES)
  if (!isAt(entry, separator, SEPARATORS)) return false
  const said = trimBlanks(entry.slice(separator + 1))
  const ends = CELL_ENDS.map((mark) => said.indexOf(mark)).filter((at) => at !== -1)
  if (asciiLower(trimBlanks(said.slice(0, Math.min(...ends, said.length)))) === 'no') return true
  const cells = said.split('|').map(trimBlanks).filter(Boolean)
  return cells.length > 0 && cells.every(isNothing)
}

function hasTimestamp(text: string): boolean {
  for (let dash = text.indexOf('-'); dash !== -1; dash = text.indexOf('-', dash + 1))
    if (dash >= 4 && timestampLength(text, dash - 4) > 0) return true
  return false
}
