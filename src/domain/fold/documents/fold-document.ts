import { isBlank } from '../markdown/characters.ts'
import { headingOf, isRule } from '../markdown/headings.ts'
import {
  eachLine,
  firstVisible,
  normalizeDocument,
  type Ending,
  type Line,
} from '../markdown/lines.ts'
import { type Position } from '../markdown/position.ts'
import { eachId, type IdKind } from '../sentences/ids.ts'
import type { SectionNumber } from './contract.ts'
import { sectionTitle } from './section-titles.ts'

/** A section of a fold: its heading and the lines below it that are not blank. */
export interface Section {
  readonly number: SectionNumber
  readonly heading: Position
  readonly lines: readonly Line[]
  /** What stands below the heading, as written, without the blanks around it. */
  readonly text: string
}

/** Where the fold first names an id. */
interface FoldId extends Position {
  readonly kind: IdKind
  readonly id: string
}

/** A heading that is none of the five and no part of one. */
interface StrayHeading extends Position {
  readonly title: string
}

export interface FoldDocument extends Ending {
  /** The normalised document. */
  readonly text: string
  /** In the order of the document, repeated ones too. */
  readonly sections: readonly Section[]
  readonly strays: readonly StrayHeading[]
  /** Where a fence opens that holds the sections, while none stands outside it. */
  readonly fenced: Position | null
  /** The first text above the first section that is no heading. */
  readonly preamble: Position | null
  readonly ids: ReadonlyMap<string, FoldId>
}

interface Draft {
  readonly number: SectionNumber
  readonly heading: Position
  readonly lines: Line[]
  /** Where its text may begin. */
  from: number
}

/** Reads a fold in one pass. Only the five titles divide it; deeper headings belong to their section. */
export function parseFold(source: string): FoldDocument {
  const text = normalizeDocument(source)
  const drafts: Draft[] = []
  const strays: StrayHeading[] = []
  const ids = new Map<string, FoldId>()
  let level = IN_A_LINE // of the first section's heading
  let preamble: Position | null = null
  let fenced: Position | null = null
  let fence: Position | null = null // the last one that opened
  let prose: Line | null = null // the line above, where it is no heading

  function readFence(line: Line): void {
    if (line.place === 'fence') fence = { line: line.number, column: firstVisible(line.text) + 1 }
    else if (fenced === null && titleOf({ ...line, place: 'text' }, null, IN_A_LINE) !== null)
      fenced = fence
  }

  function readLine(line: Line): void {
    const title = titleOf(line, prose, level)
    if (title !== null) {
      if (drafts.length === 0) level = title.level
      if (title.line === prose) forget(title.line)
      const heading = { line: title.line.number, column: firstVisible(title.line.text) + 1 }
      drafts.push({ number: title.number, heading, lines: [], from: line.start + line.text.length })
      prose = null
      return
    }
    const heading = headingOf(line)
    const section = drafts.at(-1)
    if (section?.lines.length === 0 && !line.after_blank && isUnderline(line.text)) {
      section.from = line.start + line.text.length
      return
    }
    if (heading !== null && section !== undefined && heading.level <= level)
      strays.push({ line: line.number, column: heading.column, title: heading.title })
    if (section !== undefined) section.lines.push(line)
    else if (heading === null && !isRule(line.text) && line.place !== 'fence')
      preamble ??= { line: line.number, column: firstVisible(line.text) + 1 }
    prose = heading === null ? line : null
  }

  /** The title over an underline was taken for text. */
  function forget(line: Line): void {
    drafts.at(-1)?.lines.pop()
    if (preamble?.line === line.number) preamble = null
  }

  const ending = eachLine(text, (line) => {
    eachId(line.text, ({ kind, id, start }) => {
      if (!ids.has(id)) ids.set(id, { kind, id, line: line.number, column: start + 1 })
    })
    if (line.place !== 'text' && drafts.length === 0) readFence(line)
    readLine(line)
  })
  return {
    text,
    sections: drafts.map((draft) => sectionOf(draft, text)),
    strays,
    fenced: drafts.length === 0 ? fenced : null,
    preamble,
    ids,
    ...ending,
  }
}

/** The level of a title that stands in a line of its own, as in the seed: `1. Mission header`. */
const IN_A_LINE = 7

interface Title {
  readonly number: SectionNumber
  readonly level: number
  readonly line: Line
}

/** The section that a line begins: a heading, a numbered or bold line, or an underlined one. */
function titleOf(line: Line, above: Line | null, level: number): Title | null {
  if (line.place !== 'text') return null
  const heading = headingOf(line)
  if (heading !== null) {
    const named = sectionTitle(heading.title)
    if (named === null || (named.near && heading.level > level)) return null
    return { number: named.number, level: heading.level, line }
  }
  if (above?.place === 'text' && !line.after_blank && isUnderline(line.text)) {
    const named = sectionTitle(above.text)
    return named === null ? null : { number: named.number, level: 2, line: above }
  }
  const named = sectionTitle(line.text)
  const alone = named !== null && !named.near && (named.numbered || isBold(line.text))
  return alone ? { number: named.number, level: IN_A_LINE, line } : null
}

const isBold = (text: string): boolean => text.startsWith('**', firstVisible(text))

/** `=====` or `-----` below a line (setext headings, CommonMark 0.31.2 section 4.3). */
const isUnderline = (text: string): boolean =>
  isRule(text) && '=-'.includes(text[firstVisible(text)] ?? ' ')

function sectionOf({ number, heading, lines, from }: Draft, text: string): Section {
  const last = lines.at(-1)
  const end = last === undefined ? from : last.start + last.text.length
  return { number, heading, lines, text: trimLines(text.slice(from, end)) }
}

function trimLines(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start += 1
  while (end > start && isSpace(text.charCodeAt(end - 1))) end -= 1
  return text.slice(start, end)
}

const isSpace = (unit: number): boolean => unit === 0x0a || isBlank(unit)
