import { codeSpans } from './code-spans.ts'
import type { Position } from './position.ts'

const OPEN = '<!--'
const CLOSE = '-->'

interface Comments {
  /** The line `document[start, end)` with its comments blanked; lines must be asked for in order. */
  blanked(start: number, end: number, line: number, fenced: boolean): string
  /** Where a comment began that never ends, as far as has been asked. */
  open(): Position | null
}

/**
 * HTML comments of a normalised document: from `<!--` to `-->`, or to the end of the document. Inside
 * a fence or between backticks they are text. The start of the next one is kept, so that lines
 * without comments cost nothing.
 */
export function createComments(document: string): Comments {
  let next = document.indexOf(OPEN)
  let until = 0 // where the comment ends that was open at the end of the line before
  let open: Position | null = null
  return {
    open: () => open,
    blanked(start, end, line, fenced) {
      if (until <= start && (next === -1 || next >= end)) return document.slice(start, end)
      if (fenced) {
        next = document.indexOf(OPEN, end)
        return document.slice(start, end)
      }
      let from = Math.max(start, Math.min(until, end))
      let text = ' '.repeat(from - start)
      const inCode = codeCursor(document.slice(from, end))
      for (next = document.indexOf(OPEN, from); next !== -1 && next < end;) {
        const codeEnd = inCode(next - from)
        if (codeEnd !== -1) {
          next = document.indexOf(OPEN, from + codeEnd)
          continue
        }
        const close = document.indexOf(CLOSE, next + OPEN.length)
        if (close === -1) open = { line, column: next - start + 1 }
        until = close === -1 ? document.length : close + CLOSE.length
        const to = Math.min(until, end)
        text += document.slice(start + text.length, next) + ' '.repeat(to - next)
        next = document.indexOf(OPEN, until)
      }
      return text + document.slice(start + text.length, end)
    },
  }
}

/** Answers, for rising offsets in a text, the end of the code span around one, or -1. */
function codeCursor(text: string): (offset: number) => number {
  const spans = codeSpans(text)
  let index = 0
  return (offset) => {
    while ((spans[index]?.end ?? Infinity) <= offset) index += 1
    const span = spans[index]
    return span !== undefined && span.start <= offset ? span.end : -1
  }
}
