import { eachLine, normalizeDocument } from '../../markdown/lines.ts'
import type { FindingsDocument } from './finding.ts'
import { createFindingsReader } from './findings-reader.ts'

/** Reads findings.md in one pass, in all the layouts that agents write. */
export function parseFindings(source: string): FindingsDocument {
  const reader = createFindingsReader()
  const ending = eachLine(normalizeDocument(source), (line) => reader.read(line))
  return { ...reader.finish(), open_comment: ending.open_comment }
}
