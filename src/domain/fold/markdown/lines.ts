import { createComments } from './comments.ts'
import { closesFence, fenceAt, type Fence } from './fences.ts'
import type { Position } from './position.ts'
import { BLANKS, skip } from './unit-sets.ts'

/** A line that is not blank. `text` has its HTML comments blanked out, so columns stay true. */
export interface Line {
  readonly number: number
  readonly text: string
  /** `fence` is a ``` or ~~~ line itself, `code` stands between two of them. */
  readonly place: 'text' | 'code' | 'fence'
  /** A blank line, or the start of the document, is directly above. */
  readonly after_blank: boolean
  /** Offset of the line in the normalised document. */
  readonly start: number
}

/** How a document ended: its last line that is not blank, and what was left open. */
export interface Ending {
  readonly last_line: number
  readonly open_fence: Position | null
  readonly open_comment: Position | null
}

/**
 * A document as it is judged: without BOM, with LF line ends (CRLF and lone CR are CommonMark line
 * ends too; U+2028 is none). Twins that differ only in these get the same verdict.
 */
export function normalizeDocument(source: string): string {
  const text = source.charCodeAt(0) === 0xfeff ? source.slice(1) : source
  return text.includes('\r') ? text.replaceAll('\r\n', '\n').replaceAll('\r', '\n') : text
}

/** Visits the lines of a normalised document that are not blank, in one pass. */
export function eachLine(document: string, visit: (line: Line) => void): Ending {
  const comments = createComments(document)
  let fence: (Fence & { readonly line: number }) | null = null
  let after_blank = true
  let last_line = 1
  for (let start = 0, number = 1; start <= document.length; number++) {
    const newline = document.indexOf('\n', start)
    const end = newline === -1 ? document.length : newline
    const text = comments.blanked(start, end, number, fence !== null)
    const first = firstVisible(text)
    if (first === text.length) after_blank = true
    else {
      let place: Line['place'] = fence === null ? 'text' : 'code'
      if (fence === null) {
        const opened = fenceAt(text, first)
        if (opened !== null) {
          fence = { ...opened, line: number }
          place = 'fence'
        }
      } else if (closesFence(text, first, fence)) {
        fence = null
        place = 'fence'
      }
      visit({ number, text, place, after_blank, start })
      after_blank = false
      last_line = number
    }
    start = end + 1
  }
  return {
    last_line,
    open_fence: fence === null ? null : { line: fence.line, column: fence.column },
    open_comment: comments.open(),
  }
}

/** Offset of the first unit of a line that is not blank, or its length. */
export const firstVisible = (text: string): number => skip(text, 0, BLANKS)
