import { anchorOf, eachPath } from './anchors.ts'
import { isWordAt } from './characters.ts'
import { isTier } from './contract.ts'
import type { Declaration } from './declarations.ts'
import type { FindingDraft } from './finding-draft.ts'
import { itemOf } from './items.ts'
import type { Line } from './lines.ts'
import { valueOf, type Pair } from './yaml-lines.ts'

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
  ;(finding[set] ??= new Set()).add(lines === null ? path : anchorOf(path, lines))
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
  if (pair.from < pair.to && valueOf(line.text, pair) !== '[]') readProse(record, finding, line)
}

function readTier(finding: FindingDraft, value: string): void {
  const tier = value[0] ?? ''
  if (isTier(tier) && !isWordAt(value, 1) && !value.includes('|'))
    (finding.tiers ??= new Set()).add(tier)
}

function readProse(record: OpenRecord, finding: FindingDraft, line: Line): void {
  const ruledOut = record.under === 'ruled_out' || saysRuledOut(line.text)
  if (ruledOut) finding.ruled_out = true
  if (!mayNamePath(line.text)) return
  eachPath(line.text, ({ path, has_lines }) => {
    if (ruledOut || (!has_lines && line.place === 'text'))
      (finding.ruled_out_paths ??= new Set()).add(path)
    if (!has_lines || record.under === 'ruled_out') return
    const set = record.under === 'evidence' ? 'evidence' : 'inline'
    ;(finding[set] ??= new Set()).add(path)
  })
}

const mayNamePath = (text: string): boolean =>
  text.includes('/') || text.includes('*.') || text.includes(':')

const saysRuledOut = (text: string): boolean =>
  text.includes('uled') &&
  ['ruled_out', 'ruled out', 'Ruled out', 'Ruled Out'].some((words) => text.includes(words))
