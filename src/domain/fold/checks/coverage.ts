import { isLetter, isSpoken } from '../markdown/characters.ts'
import { firstWord } from '../markdown/items.ts'
import type { Line } from '../markdown/lines.ts'
import { skip, unitSet } from '../markdown/unit-sets.ts'
import { idAt, idsIn, type Mention } from '../sentences/ids.ts'
import { placeOf, sectionOf, type Facts } from './facts.ts'
import type { Issue } from './verdict.ts'

/** Every FINDING id of findings.md begins a line of section 3. */
export function* findingsIndexed({ findings, fold, index }: Facts): Iterable<Issue> {
  const place = placeOf(fold, 3)
  for (const { id, line } of findings.findings.values())
    if (!index.listed.has(id))
      yield {
        code: 'finding_missing',
        message: `${id} (findings.md line ${line}) is not in the findings index.`,
        ...place,
        id,
        hint: `Section 3 needs a line "${id} | tier | path:lines" for each of its anchors.`,
      }
  if (findings.open_comment !== null)
    yield {
      code: 'comment_unclosed',
      message: `findings.md line ${findings.open_comment.line} opens a comment that never ends: what it hides can't be checked.`,
      ...place,
      hint: 'Close the comment in findings.md with -->.',
    }
}

/** Every GAP id of findings.md begins a line of section 4, with a status on that line. */
export function* gapsListed({ findings, fold }: Facts): Iterable<Issue> {
  const place = placeOf(fold, 4)
  const listed = new Map<
    string,
    { readonly line: number; readonly column: number; readonly status: boolean }
  >()
  for (const line of sectionOf(fold, 4)?.lines ?? []) {
    if (line.place === 'fence') continue
    const ids = leadingGaps(line)
    const status = ids.length > 0 && hasStatus(line.text, ids)
    for (const { id, start } of ids)
      if (listed.get(id)?.status !== true)
        listed.set(id, { line: line.number, column: start + 1, status })
  }
  for (const [id, line] of findings.gaps) {
    const entry = listed.get(id)
    if (entry === undefined)
      yield {
        code: 'gap_missing',
        message: `${id} (findings.md line ${line}) is not in the open questions.`,
        ...place,
        id,
        hint: `Section 4 needs a line that begins with ${id}, with its status behind it.`,
      }
    else if (!entry.status)
      yield {
        code: 'gap_without_status',
        message: `${id} has no status on its line.`,
        line: entry.line,
        column: entry.column,
        id,
        hint: 'Write its status in a few words behind the id, on the same line.',
      }
  }
}

/** The fold names no finding, gap or trigger that its sources don't. */
export function* noInventedIds({ findings, mission, fold, fired }: Facts): Iterable<Issue> {
  for (const { kind, id, line, column } of fold.ids.values()) {
    const known =
      kind === 'FINDING'
        ? findings.findings.has(id)
        : kind === 'GAP'
          ? findings.gaps.has(id)
          : mission.triggers.has(id) || findings.trigger_ids.has(id) || fired.has(id)
    if (!known)
      yield {
        code: 'id_invented',
        message: `${id} is not in ${kind === 'ET' ? 'mission.md or findings.md' : 'findings.md'}.`,
        line,
        column,
        id,
        hint: 'Ids are exact: check its digits, or take it out.',
      }
  }
}

const BETWEEN_IDS = unitSet(',/&*`]_ ')

/** The gaps that a line begins with: `GAP-001 …`, or `GAP-001, GAP-002: …`. */
function leadingGaps({ text }: Line): readonly Mention[] {
  const gaps: Mention[] = []
  for (let start = firstWord(text); ;) {
    const id = idAt(text, start)
    if (id?.kind !== 'GAP') return gaps
    gaps.push(id)
    start = skip(text, id.end, BETWEEN_IDS)
  }
}

/** Whether a line says anything beside its ids. */
function hasStatus(text: string, leading: readonly Mention[]): boolean {
  const ids = idsIn(text)
  let next = 0
  for (let index = leading.at(-1)?.end ?? 0; index < text.length;) {
    while ((ids[next]?.end ?? Infinity) <= index) next += 1
    const id = ids[next]
    if (id !== undefined && id.start <= index) index = id.end
    else if (isSpoken(text.charCodeAt(index)) || isLetter(text.charCodeAt(index))) return true
    else index += 1
  }
  return false
}
