import { isDigit } from '../markdown/characters.ts'
import { isRule } from '../markdown/headings.ts'
import { itemOf, skipBlanks } from '../markdown/items.ts'
import { firstVisible, type Line } from '../markdown/lines.ts'
import { type Position } from '../markdown/position.ts'
import { BLANKS, find, skip, skipBack, unitSet, type UnitSet } from '../markdown/unit-sets.ts'
import { idAt } from '../sentences/ids.ts'
import { isTier, type Tier } from './contract.ts'
import { saysNone } from './nothing.ts'

/** `FINDING-017 | H | app/a.rb:42-78`, with `(ruled_out)` behind it or not. */
export interface IndexEntry extends Position {
  readonly id: string
  readonly tier: Tier
  readonly tier_column: number
  readonly anchor: string
  readonly anchor_column: number
  readonly ruled_out: boolean
}

/** A line of section 3 that is none; `id` where it begins with one. */
export interface IndexFault extends Position {
  readonly code: 'line_malformed' | 'tier_invalid' | 'claim_text' | 'line_nested'
  readonly id: string | null
}

export interface IndexLines {
  readonly entries: readonly IndexEntry[]
  readonly faults: readonly IndexFault[]
  /** Each finding id that begins a line, well formed or not, and where first. */
  readonly listed: ReadonlyMap<string, Position>
}

/** Reads section 3: one entry a line, in a list, in a fence or plain. `None.` and the like say nothing. */
export function readIndex(lines: readonly Line[]): IndexLines {
  const entries: IndexEntry[] = []
  const faults: IndexFault[] = []
  const listed = new Map<string, Position>()
  let indent: number | null = null
  for (const line of lines) {
    if (line.place === 'fence' || isRule(line.text) || saysNone(line.text)) continue
    const item = itemOf(line.text)
    const own = item?.marker ?? firstVisible(line.text)
    indent ??= own
    const read = readLine(line, item?.text ?? own)
    const id = read.id
    if (id !== null && !listed.has(id)) listed.set(id, { line: read.line, column: read.column })
    if ('code' in read) faults.push(read)
    else if (item !== null && own > indent + 1)
      faults.push({ code: 'line_nested', id, line: line.number, column: own + 1 })
    else entries.push(read)
  }
  return { entries, faults, listed }
}

function readLine(line: Line, start: number): IndexEntry | IndexFault {
  const { text } = line
  const cells = cellsOf(text, start)
  const at = (offset: number): Position => ({ line: line.number, column: offset + 1 })
  const idCell = shrunk(text, cells[0], MARKS)
  const id = idAt(text, idCell.start)
  if (id?.kind !== 'FINDING') return { code: 'line_malformed', id: null, ...at(start) }
  if (cells.length < 3 || id.end !== idCell.end)
    return { code: 'line_malformed', id: id.id, ...at(id.start) }
  const tierCell = shrunk(text, cells[1], MARKS)
  const tier = text.slice(tierCell.start, tierCell.end)
  if (!isTier(tier)) return { code: 'tier_invalid', id: id.id, ...at(tierCell.start) }
  const anchor = readAnchor(text, shrunk(text, cells[2], BLANKS))
  const extra = cells[3] === undefined ? anchor.extra : shrunk(text, cells[3], BLANKS).start
  if (extra !== -1) return { code: 'claim_text', id: id.id, ...at(extra) }
  return {
    id: id.id,
    ...at(id.start),
    tier,
    tier_column: tierCell.start + 1,
    anchor: anchor.text,
    anchor_column: anchor.start + 1,
    ruled_out: anchor.ruled_out,
  }
}

interface Cell {
  readonly start: number
  readonly end: number
}

function cellsOf(text: string, from: number): readonly Cell[] {
  const cells: Cell[] = []
  for (let start = from; start <= text.length;) {
    const bar = text.indexOf('|', start)
    const end = bar === -1 ? text.length : bar
    cells.push({ start, end })
    start = end + 1
  }
  return cells
}

const MARKS = unitSet(' \t`*_[]')
const TICK = unitSet('`')

function shrunk(text: string, cell: Cell | undefined, marks: UnitSet): Cell {
  const { start: from, end: to } = cell ?? { start: 0, end: 0 }
  const start = Math.min(skip(text, from, marks), to)
  return { start, end: skipBack(text, start, to, marks) }
}

interface AnchorCell {
  readonly start: number
  readonly text: string
  readonly ruled_out: boolean
  /** Offset of what stands behind the anchor and its mark, or -1. */
  readonly extra: number
}

const RULED_OUT_MARKS = ['(ruled_out)', '(ruled out)'] as const

/** An anchor has no blanks outside backticks, but within a list of lines; it may stand in backticks, with `(ruled_out)` behind. */
function readAnchor(text: string, cell: Cell): AnchorCell {
  const ticked = text[cell.start] === '`'
  const start = cell.start + (ticked ? 1 : 0)
  const mark = markAt(text, start)
  const end =
    mark === null
      ? Math.min(ticked ? find(text, start, TICK) : anchorEnd(text, start), cell.end)
      : start
  let rest = skipBlanks(text, ticked && text[end] === '`' ? end + 1 : end)
  const behind = markAt(text, rest)
  if (behind !== null) rest = skipBlanks(text, rest + behind.length)
  return {
    start,
    text: text.slice(start, end).replaceAll('–', '-'),
    ruled_out: behind !== null,
    extra: rest < cell.end ? rest : -1,
  }
}

/** At the first blank, but for one within `42-78, 90-95`. */
function anchorEnd(text: string, start: number): number {
  let end = find(text, start, BLANKS)
  while (text[end - 1] === ',' && isDigit(text.charCodeAt(skipBlanks(text, end))))
    end = find(text, skipBlanks(text, end), BLANKS)
  return end
}

const markAt = (text: string, start: number): string | null =>
  RULED_OUT_MARKS.find((mark) => text.startsWith(mark, start)) ?? null
