import { formatCursor, parseCursor } from '../../domain/cursor.ts'

/** What a call shows at most: lines, and UTF-16 units. */
export const MAX_LINES = 100
const MAX_CHARACTERS = 32_768

/** A part of a file, exactly: all parts in their order are the file. Lines count from 1. */
export interface FilePage {
  readonly text: string
  readonly from_line: number
  readonly to_line: number
  readonly next_cursor: string | null
}

/**
 * The part of a file that begins where the cursor says. It ends with a line; only a line that fits in
 * no call is shown in pieces. Null for a cursor that is not of this file.
 */
export function filePage(path: string, file: string, cursor: string | undefined): FilePage | null {
  const begin = cursor === undefined ? START : placeIn(path, cursor)
  if (begin === null) return null
  let end = begin.offset
  let lines = 0
  while (lines < MAX_LINES && end < file.length) {
    const next = lineEnd(file, end)
    if (next - begin.offset > MAX_CHARACTERS) break
    end = next
    lines += 1
  }
  if (lines === 0 && end < file.length) end = cutAt(file, end + MAX_CHARACTERS)
  return {
    text: file.slice(begin.offset, end),
    from_line: begin.line,
    to_line: begin.line + Math.max(lines, 1) - 1,
    next_cursor: end >= file.length ? null : formatCursor([path, end, begin.line + lines]),
  }
}

const START = { offset: 0, line: 1 }

function placeIn(path: string, cursor: string): typeof START | null {
  const [of, offset, line] = parseCursor(cursor) ?? []
  return of === path && isPlace(offset) && isPlace(line) ? { offset, line } : null
}

const isPlace = (part: unknown): part is number => Number.isSafeInteger(part) && Number(part) > 0

function lineEnd(file: string, from: number): number {
  const end = file.indexOf('\n', from)
  return end === -1 ? file.length : end + 1
}

/** Never between the halves of a surrogate pair. */
const cutAt = (file: string, offset: number): number =>
  /^[\uDC00-\uDFFF]/.test(file.charAt(offset)) ? offset - 1 : offset
