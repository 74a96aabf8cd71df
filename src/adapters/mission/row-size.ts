import { utf8Length } from '../../domain/bytes.ts'

/** A row of a Durable Object holds 2,000,000 bytes; the rest is for its other columns. */
const MAX_ROW_BYTES = 1_500_000
/** A character is at most 3 bytes of UTF-8, so a part of this many always fits a row. */
const PART_CHARS = MAX_ROW_BYTES / 3

/** A body as JSON of at most `maxBytes`, or a thrown error that names what was too large. */
export function bodyText(what: string, body: unknown, maxBytes = MAX_ROW_BYTES): string {
  const text = JSON.stringify(body ?? null)
  const bytes = utf8Length(text)
  if (bytes > maxBytes)
    throw new Error(`${what} has ${bytes} bytes as JSON, over the limit of ${maxBytes}`)
  return text
}

/** A text in parts that each fit a row: one part, as long as it fits. */
export function partsOf(text: string): readonly [string, ...string[]] {
  if (text.length <= PART_CHARS || utf8Length(text) <= MAX_ROW_BYTES) return [text]
  let to = partEnd(text, 0)
  const parts: [string, ...string[]] = [text.slice(0, to)]
  for (let from = to; from < text.length; from = to) {
    to = partEnd(text, from)
    parts.push(text.slice(from, to))
  }
  return parts
}

// A surrogate pair stays together: SQLite would replace its halves.
function partEnd(text: string, from: number): number {
  const end = Math.min(from + PART_CHARS, text.length)
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last < 0xdc00 && end < text.length ? end + 1 : end
}
