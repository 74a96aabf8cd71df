import { trimBlanks } from '../../markdown/characters.ts'
import { codeSpans } from '../../markdown/code-spans.ts'
import { itemOf } from '../../markdown/items.ts'
import type { Line } from '../../markdown/lines.ts'
import { skip, unitSet } from '../../markdown/unit-sets.ts'
import { valueOf, type Pair } from '../../markdown/yaml-lines.ts'
import { anchorsOf, eachPath } from '../anchors.ts'
import { isNothing, saysNone } from '../nothing.ts'
import { tierAt } from '../tiers.ts'
import type { Declaration } from './declarations.ts'
import type { FindingDraft } from './finding-draft.ts'

/** The record that lines of findings.md belong to; `finding` is null inside a gap's. */
export interface OpenRecord {
  readonly id: string
  readonly finding: FindingDraft | null
  readonly form: Declaration['form']
  /** Of its heading; 7 where it has none. */
  readonly level: number
  readonly indent: number
  /** The key that the lines stand under. */
  under: 'evidence' | 'ruled_out' | 'other'
  path: string | null
  lines: string | null
}

/** Whether a line lies behind a record: a heading that is not deeper, or the end of its list item. */
export function endsRecord(
  record: OpenRecord,
  line: Line,
  indent: number,
  headingLevel: number | null,
): boolean {
  if (headingLevel !== null) return headingLevel <= record.level
  if (record.form !== 'item' || indent > record.indent || line.place !== 'text') return false
  return line.after_blank || itemOf(line.text) !== null
}

/** Reads a line of a record: its pairs where the book's keys are used, its paths elsewhere. */
export function readRecordLine(record: OpenRecord, line: Line, pairs: readonly Pair[]): void {
  const { finding } = record
  if (finding === null) return
  let known = false
  for (const pair of pairs) {
    if (!KEYS.has(pair.key)) continue
    if (!known && itemOf(line.text) !== null) keepEvidence(record)
    known = true
    finding.keyed = true
    readPair(record, finding, pair, line)
  }
  if (!known) readProse(record, finding, line)
}

/** Puts the `path:` and `lines:` read so far together into one anchor. */
export function keepEvidence(record: OpenRecord): void {
  const { finding, path, lines } = record
  record.path = null
  record.lines = null
  if (finding === null || path === null || path === '' || path.startsWith('<')) return
  const set = record.under === 'ruled_out' ? 'ruled_out_paths' : 'evidence'
  const kept = (finding[set] ??= new Set())
  for (const anchor of lines === null ? [path] : anchorsOf(path, lines)) kept.add(anchor)
}

const KEYS: ReadonlySet<string> = new Set([
  'id',
  'claim',
  'evidence',
  'path',
  'lines',
  'line',
  'excerpt_ref',
  'ruled_out',
  'confidence',
  'tier',
  'supports_decision',
  'notes',
])

function readPair(record: OpenRecord, finding: FindingDraft, pair: Pair, line: Line): void {
  switch (pair.key) {
    case 'path':
      if (record.path !== null) keepEvidence(record)
      record.path = valueOf(line.text, pair)
      return
    case 'lines':
    case 'line':
      if (record.lines !== null) keepEvidence(record)
      record.lines = valueOf(line.text, pair)
      return
    case 'excerpt_ref':
      return
    case 'confidence':
    case 'tier':
      readTier(finding, valueOf(line.text, pair))
      break
  }
  keepEvidence(record)
  record.under = pair.key === 'evidence' || pair.key === 'ruled_out' ? pair.key : 'other'
  if (pair.from < pair.to && !isNothing(valueOf(line.text, pair))) readProse(record, finding, line)
}

const BEFORE_TIER = unitSet('*_`(')

function readTier(finding: FindingDraft, value: string): void {
  // `H | M | L` is a template.
  const found = value.includes('|') ? null : tierAt(value, skip(value, 0, BEFORE_TIER))
  if (found !== null) (finding.tiers ??= new Set()).add(found.tier)
}

function readProse(record: OpenRecord, finding: FindingDraft, line: Line): void {
  if (record.under === 'ruled_out' && saysNone(line.text)) return
  const ruledOut = record.under === 'ruled_out' || saysRuledOut(line.text)
  if (ruledOut) finding.ruled_out = true
  if (!mayNamePath(line.text)) return
  const isMarked = markCursor(line.text)
  eachPath(line.text, ({ path, has_lines, start }) => {
    if (ruledOut || (!has_lines && line.place === 'text'))
      (finding.ruled_out_paths ??= new Set()).add(path)
    if (!has_lines || record.under === 'ruled_out') return
    const set = record.under === 'evidence' ? 'evidence' : isMarked(start) ? 'marked' : 'inline'
    ;(finding[set] ??= new Set()).add(path)
  })
}

/** Tells, for rising offsets, what stands in backticks or behind the word evidence. */
function markCursor(text: string): (start: number) => boolean {
  const evidence = text.indexOf('vidence')
  // Most lines name no path, and are not asked.
  let spans: ReturnType<typeof codeSpans> | null = null
  let next = 0
  return (start) => {
    spans ??= codeSpans(text)
    while ((spans[next]?.end ?? Infinity) <= start) next += 1
    return (evidence !== -1 && start > evidence) || (spans[next]?.start ?? Infinity) < start
  }
}

const mayNamePath = (text: string): boolean =>
  text.includes('/') || text.includes('*.') || text.includes(':')

const RULED_OUT = ['ruled_out', 'ruled out', 'Ruled out', 'Ruled Out'] as const
const BEHIND_WORDS = unitSet(':*_` \t')

/** `Ruled out: none` rules nothing out. */
function saysRuledOut(text: string): boolean {
  if (!text.includes('uled')) return false
  const words = RULED_OUT.find((spelling) => text.includes(spelling))
  if (words === undefined) return false
  const behind = skip(text, text.indexOf(words) + words.length, BEHIND_WORDS)
  return !isNothing(trimBlanks(text.slice(behind)))
}
