import { asciiLower, trimBlanks } from '../markdown/characters.ts'
import { headingOf, isRule, type Heading } from '../markdown/headings.ts'
import { firstWord, itemOf } from '../markdown/items.ts'
import { eachLine, firstVisible, normalizeDocument, type Line } from '../markdown/lines.ts'
import { BLANKS, find, unitSet, type UnitSet } from '../markdown/unit-sets.ts'
import { pairsOf, valueOf } from '../markdown/yaml-lines.ts'
import { idsIn } from '../sentences/ids.ts'
import { fieldOf, isLabel, type FieldName } from './fields.ts'
import { isNothing } from './nothing.ts'
import { joinScopes, readScope, type Scope } from './scope.ts'
import { describedTrigger, triggerName } from './triggers.ts'
import { valueText, type ValueLine } from './values.ts'

/** What a fold must repeat of mission.md. A field that the document lacks is null. */
export interface MissionDocument {
  readonly id: string | null
  /** The question; and the same with the sub-questions that follow it, where there are any. */
  readonly target: { readonly question: string; readonly whole: string } | null
  readonly scope: Scope
  /** SCOPE in words, for missions that name no globs. */
  readonly scope_text: string | null
  /** Declared triggers: `ET-` ids, or the leading words of those without an id. */
  readonly triggers: ReadonlySet<string>
}

/** Reads mission.md in one pass: fields under headings, in bold or plain, on one line or on several. */
export function parseMission(source: string): MissionDocument {
  const values = new Map<FieldName, ValueLine[]>()
  let open: { readonly lines: ValueLine[]; readonly level: number } | null = null
  eachLine(normalizeDocument(source), (line) => {
    if (line.place === 'fence' || isRule(line.text)) return
    const heading = headingOf(line)
    const field = line.place === 'code' ? null : fieldOf(line.text, heading !== null)
    if (field !== null) {
      const lines = values.get(field.name) ?? []
      values.set(field.name, lines)
      if (field.value < field.end) lines.push(valueLine(line, field.value, field.end))
      open = field.row ? null : { lines, level: heading?.level ?? IN_A_LINE }
    } else if (open !== null && endsValue(line, heading, open.level, open.lines.length > 0))
      open = null
    else open?.lines.push(valueLine(line, 0))
  })
  return missionOf(values)
}

/** The level of a field that stands in a line of its own, below every heading. */
const IN_A_LINE = 7

const valueLine = (line: Line, from: number, to?: number): ValueLine => ({
  line: line.number,
  column: from + 1,
  text: line.text.slice(from, to),
  place: line.place === 'code' ? 'code' : 'text',
})

/** A field under a heading lasts until the next such heading, one in a line as long as its paragraph. */
function endsValue(line: Line, heading: Heading | null, level: number, begun: boolean): boolean {
  if (heading !== null) return heading.level <= level
  if (line.place === 'code' || level < IN_A_LINE) return false
  return isLabel(line.text) || (begun && line.after_blank && itemOf(line.text) === null)
}

function missionOf(values: ReadonlyMap<FieldName, readonly ValueLine[]>): MissionDocument {
  const id = valueText(values.get('MISSION-ID')?.slice(0, 1) ?? [])
  const scope = values.get('SCOPE') ?? []
  return {
    id: id === '' ? null : id,
    target: targetOf(values.get('DECISION_TARGET') ?? []),
    scope: joinScopes(
      readScope(scope),
      joinScopes(
        readScope(values.get('SCOPE_INCLUDE') ?? []),
        readScope(values.get('SCOPE_EXCLUDE') ?? [], 'exclude'),
      ),
    ),
    scope_text: scope.length === 0 ? null : valueText(scope),
    triggers: triggersOf(values.get('ESCALATION_TRIGGERS') ?? []),
  }
}

/** The question ends where its sub-questions begin; quoted guidance of the template is left out. */
function targetOf(lines: readonly ValueLine[]): MissionDocument['target'] {
  const own = lines.filter((line) => line.text[firstVisible(line.text)] !== '>')
  const kept = own.length === 0 ? lines : own
  const first = kept.findIndex((line) => isSubQuestion(line.text))
  const question = valueText(first === -1 ? kept : kept.slice(0, first))
  const whole = valueText(kept.filter((line) => !line.text.startsWith('#')))
  return whole === '' ? null : { question: question === '' ? whole : question, whole }
}

function isSubQuestion(text: string): boolean {
  const start = firstWord(text)
  return (
    text.startsWith('DT-', start) || asciiLower(text.slice(start, start + 13)) === 'sub-questions'
  )
}

function triggersOf(lines: readonly ValueLine[]): ReadonlySet<string> {
  const triggers = new Set<string>()
  for (const line of lines) {
    const ids = idsIn(line.text).filter(({ kind }) => kind === 'ET')
    for (const { id } of ids) triggers.add(id)
    if (ids.length === 0) for (const name of namedTriggers(line)) triggers.add(name)
  }
  return triggers
}

/** What a line without an `ET-` id declares: the value of a key that names, an item, or a list in line. */
function namedTriggers({ column, text }: ValueLine): readonly string[] {
  const pair = pairsOf(text).find(({ key }) => NAMING.has(key))
  if (pair !== undefined) return [triggerName(valueOf(text, pair))]
  if (itemOf(text) !== null) return [describedTrigger(text)]
  // Only what stands behind the field's name begins within its line.
  return column > 1 ? listedNames(text) : []
}

const NAMING: ReadonlySet<string> = new Set(['id', 'name', 'trigger', 'trigger_id'])

/** The names of `a, b` or `[a, b]`; words that make a sentence are a remark and name nothing. */
function listedNames(text: string): readonly string[] {
  const names = splitAt(text, BETWEEN_NAMES)
    .map(trimBlanks)
    .filter((name) => name !== '')
  return names.some((name) => isNothing(name) || find(name, 0, BLANKS) < name.length) ? [] : names
}

const BETWEEN_NAMES = unitSet('[],;')

function splitAt(text: string, ends: UnitSet): string[] {
  const parts: string[] = []
  for (let start = 0; start <= text.length;) {
    const end = find(text, start, ends)
    parts.push(text.slice(start, end))
    start = end + 1
  }
  return parts
}
