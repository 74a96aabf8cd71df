import { eachLine, normalizeDocument, type Line } from '../../src/domain/fold/markdown/lines.ts'

/** The lines of a document that are not blank. */
export function linesOf(document: string): readonly Line[] {
  const lines: Line[] = []
  eachLine(normalizeDocument(document), (line) => lines.push(line))
  return lines
}
