import { FOLD_STATUSES, HEADER_FIELDS, type HeaderField } from '../documents/contract.ts'
import { fieldOf, isLabel, type FieldName } from '../documents/fields.ts'
import type { MissionDocument } from '../documents/mission-document.ts'
import { joinScopes, readScope, type Scope } from '../documents/scope.ts'
import { valueText, type ValueLine } from '../documents/values.ts'
import { headingOf, isRule } from '../markdown/headings.ts'
import { firstVisible, type Line } from '../markdown/lines.ts'
import { type Position } from '../markdown/position.ts'
import { placeOf, sectionOf, type Facts } from './facts.ts'
import type { Issue } from './verdict.ts'

/** Section 1 has its four fields; MISSION-ID, DECISION_TARGET and SCOPE are mission.md's, word for word. */
export function* headerVerbatim({ fold, mission }: Facts): Iterable<Issue> {
  const { fields, repeated } = readHeader(sectionOf(fold, 1)?.lines ?? [])
  for (const { name, line, column } of repeated)
    yield {
      code: 'field_repeated',
      message: `${name} stands here a second time.`,
      line,
      column,
      id: name,
      hint: 'Each field stands once.',
    }
  for (const name of HEADER_FIELDS) {
    const field = fields.get(name) ?? (name === 'SCOPE' ? fields.get('SCOPE_INCLUDE') : undefined)
    const [first] = field?.lines ?? []
    if (field === undefined || first === undefined) {
      yield {
        code: 'field_missing',
        message: `The header has no ${name}.`,
        ...(field?.place ?? placeOf(fold, 1)),
        id: name,
        hint: `Section 1 needs a line "${name}: …".`,
      }
      continue
    }
    const fault = faultOf(name, field.lines, fields, mission)
    if (fault !== null) yield { ...fault, line: first.line, column: first.column, id: name }
  }
}

interface HeaderValue {
  readonly place: Position
  readonly lines: readonly ValueLine[]
}

type Fields = ReadonlyMap<FieldName, HeaderValue>
type Fault = Pick<Issue, 'code' | 'message' | 'hint'>

function readHeader(lines: readonly Line[]) {
  const fields = new Map<FieldName, HeaderValue>()
  const repeated: (Position & { readonly name: FieldName })[] = []
  let open: ValueLine[] = []
  for (const line of lines) {
    if (line.place === 'fence' || isRule(line.text)) continue
    const field = fieldOf(line.text, headingOf(line) !== null)
    if (field === null) {
      // A label of another field: its value is nobody's.
      if (isLabel(line.text)) open = []
      open.push(headerLine(line, firstVisible(line.text)))
      continue
    }
    const place = { line: line.number, column: field.column }
    open = []
    if (fields.has(field.name)) repeated.push({ ...place, name: field.name })
    else fields.set(field.name, { place, lines: open })
    if (field.value < field.end) open.push(headerLine(line, field.value, field.end))
    if (field.row) open = []
  }
  return { fields, repeated }
}

// The header may stand in a fence as a whole, which says nothing of its values.
const headerLine = (line: Line, from: number, to?: number): ValueLine => ({
  line: line.number,
  column: from + 1,
  text: line.text.slice(from, to),
  place: 'text',
})

function faultOf(
  name: HeaderField,
  lines: readonly ValueLine[],
  fields: Fields,
  mission: MissionDocument,
): Fault | null {
  const value = valueText(lines)
  switch (name) {
    case 'MISSION-ID':
      return mission.id === null || value === mission.id ? null : differs(name, mission.id, value)
    case 'DECISION_TARGET':
      if (mission.target === null) return unknown(name)
      return value === mission.target.question || value === mission.target.whole
        ? null
        : differs(name, mission.target.question, value)
    case 'SCOPE':
      return scopeFault(lines, fields, mission)
    case 'STATUS':
      return FOLD_STATUSES.some((status) => status === value)
        ? null
        : {
            code: 'status_invalid',
            message: `STATUS is ${excerpt(value, 0)}.`,
            hint: `STATUS is one of ${FOLD_STATUSES.join(', ')}, and ends the header.`,
          }
  }
}

function scopeFault(
  lines: readonly ValueLine[],
  fields: Fields,
  { scope, scope_text }: MissionDocument,
): Fault | null {
  if (scope.include.size === 0 && scope.exclude.size === 0) {
    if (scope_text === null) return unknown('SCOPE')
    const value = valueText(lines)
    return value === scope_text ? null : differs('SCOPE', scope_text, value)
  }
  const known = new Set([...scope.include, ...scope.exclude])
  const side = fields.has('SCOPE') ? (fields.get('SCOPE_INCLUDE')?.lines ?? []) : []
  const own: Scope = joinScopes(
    readScope([...lines, ...side], 'include', known),
    readScope(fields.get('SCOPE_EXCLUDE')?.lines ?? [], 'exclude', known),
  )
  const excluded = own.exclude.size === 0 ? own.exclude : scope.exclude
  const lost = [...without(scope.include, own.include), ...without(excluded, own.exclude)]
  const added = [...without(own.include, scope.include), ...without(own.exclude, scope.exclude)]
  if (lost.length === 0 && added.length === 0) return null
  const parts = [
    ...(lost.length > 0 ? [`lacks ${listed(lost)}`] : []),
    ...(added.length > 0 ? [`has ${listed(added)}, which mission.md has not`] : []),
  ]
  return {
    code: 'scope_differs',
    message: `SCOPE ${parts.join(' and ')}.`,
    hint: 'Copy the globs of mission.md, each as it is written; mark those that are excluded.',
  }
}

const without = (all: ReadonlySet<string>, some: ReadonlySet<string>): readonly string[] =>
  [...all].filter((member) => !some.has(member))

const listed = (globs: readonly string[]): string =>
  globs.slice(0, 5).join(', ') + (globs.length > 5 ? ` and ${globs.length - 5} more` : '')

const unknown = (name: HeaderField): Fault => ({
  code: 'mission_field_missing',
  message: `mission.md has no ${name} to compare with.`,
  hint: `mission.md needs a heading or a line "${name}".`,
})

function differs(name: HeaderField, wanted: string, found: string): Fault {
  let same = 0
  while (same < wanted.length && wanted[same] === found[same]) same += 1
  const from = Math.max(0, wanted.lastIndexOf(' ', same - 1) + 1)
  return {
    code:
      name === 'MISSION-ID' ? 'id_differs' : name === 'SCOPE' ? 'scope_differs' : 'target_differs',
    message: `${name} differs from mission.md: ${excerpt(found, from)} for ${excerpt(wanted, from)}.`,
    hint: `Copy ${name} from mission.md word for word.`,
  }
}

function excerpt(text: string, from: number): string {
  const part = text.slice(from, from + 40).toWellFormed()
  return `"${from > 0 ? '…' : ''}${part}${text.length > from + 40 ? '…' : ''}"`
}
