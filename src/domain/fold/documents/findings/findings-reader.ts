import { headingOf } from '../../markdown/headings.ts'
import { firstVisible, type Line } from '../../markdown/lines.ts'
import { isBlockScalar, pairsOf } from '../../markdown/yaml-lines.ts'
import { eachId, type Mention } from '../../sentences/ids.ts'
import { declarationOf, type Declaration } from './declarations.ts'
import { createEscalationLog } from './escalation-log.ts'
import { draftOf, findingOf, type FindingDraft } from './finding-draft.ts'
import { endsRecord, keepEvidence, readRecordLine, type OpenRecord } from './finding-record.ts'
import type { FindingsDocument } from './finding.ts'
import { eachRef } from './refs.ts'

/** Collects what findings.md says, line by line. */
export function createFindingsReader() {
  const findings = new Map<string, FindingDraft>()
  const gaps = new Map<string, number>()
  const fired = new Map<string, number>()
  const trigger_ids = new Set<string>()
  const refs = new Set<string>()
  let number = 0 // of the line that is read
  let record: OpenRecord | null = null
  let scalarIndent: number | null = null // of the block scalar's key, while inside one
  const log = createEscalationLog()

  function keepMention({ kind, id }: Mention): void {
    if (kind === 'ET') trigger_ids.add(id)
    else if (kind === 'GAP') gaps.set(id, gaps.get(id) ?? number)
    else if (!findings.has(id)) findings.set(id, draftOf(id, number))
  }

  function keepRef(ref: string): void {
    refs.add(ref)
    const finding = record?.finding ?? null
    if (finding !== null) (finding.refs ??= new Set()).add(ref)
  }

  function closeRecord(): void {
    if (record !== null) keepEvidence(record)
    record = null
  }

  function openRecord(declaration: Declaration, level: number, indent: number): void {
    const finding = declaration.kind === 'GAP' ? null : (findings.get(declaration.id) ?? null)
    if (finding !== null) {
      finding.has_record = true
      if (declaration.tier !== null) (finding.tiers ??= new Set()).add(declaration.tier)
    }
    // `id:` inside the record that its heading began is the same record.
    if (record?.id === declaration.id) return
    closeRecord()
    const { id, form } = declaration
    record = { id, finding, form, level, indent, under: 'other', path: null, lines: null }
  }

  function readStructure(line: Line): void {
    const indent = firstVisible(line.text)
    if (line.place === 'code' && scalarIndent !== null && indent > scalarIndent) {
      if (record !== null) readRecordLine(record, line, [])
      return
    }
    const heading = headingOf(line)
    const pairs = pairsOf(line.text)
    const [first] = pairs
    const scalar = line.place === 'code' && first !== undefined && isBlockScalar(line.text, first)
    scalarIndent = scalar ? first.start : null
    const declaration = declarationOf(line, pairs)
    if (declaration !== null) openRecord(declaration, heading?.level ?? IN_A_LINE, indent)
    else if (record !== null && endsRecord(record, line, indent, heading?.level ?? null))
      closeRecord()
    for (const name of log.fired(line, heading, pairs))
      fired.set(name, fired.get(name) ?? line.number)
    if (record !== null) readRecordLine(record, line, declaration === null ? pairs : pairs.slice(1))
  }

  return {
    read(line: Line): void {
      number = line.number
      eachId(line.text, keepMention)
      if (line.place === 'fence') scalarIndent = null
      else readStructure(line)
      eachRef(line.text, keepRef)
    },
    finish(): Omit<FindingsDocument, 'open_comment'> {
      closeRecord()
      const read = [...findings].map(([id, draft]) => [id, findingOf(draft)] as const)
      return { findings: new Map(read), gaps, fired, trigger_ids, refs }
    },
  }
}

/** The level of what stands in a line of its own, below every heading. */
const IN_A_LINE = 7
