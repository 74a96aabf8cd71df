import { codeSpans } from '../markdown/code-spans.ts'
import { isAt, unitSet } from '../markdown/unit-sets.ts'

const OPENERS = '([{（［｛【「『〈《'
const CLOSERS = ')]}）］｝】」』〉》'
const BRACKETS = unitSet(OPENERS + CLOSERS)

/**
 * For each offset of a text the end of the code span or bracket pair that opens there, else 0. A
 * bracket without a partner is text. One pass, one stack.
 */
export function enclosuresOf(text: string): Int32Array {
  const ends = new Int32Array(text.length)
  const open: number[] = []
  const openOf = Array.from(OPENERS, () => 0)
  const spans = codeSpans(text)
  let span = 0
  for (let index = 0; index < text.length; index++) {
    const code = spans[span]
    if (code?.start === index) {
      ends[index] = code.end
      index = code.end - 1
      span += 1
      continue
    }
    if (!isAt(text, index, BRACKETS)) continue
    const unit = text[index] ?? ''
    const opens = OPENERS.indexOf(unit)
    if (opens !== -1) {
      open.push(index)
      openOf[opens] = (openOf[opens] ?? 0) + 1
      continue
    }
    const closes = CLOSERS.indexOf(unit)
    if (closes === -1 || openOf[closes] === 0) continue
    for (let start = open.pop(); start !== undefined; start = open.pop()) {
      const kind = OPENERS.indexOf(text[start] ?? '')
      openOf[kind] = (openOf[kind] ?? 0) - 1
      if (kind !== closes) continue
      ends[start] = index + 1
      break
    }
  }
  return ends
}
