import { utf8Length, utf8Text } from '../bytes.ts'
import type { Bytes } from '../bytes.ts'
import type { Finding } from './finding.ts'

/** A range of bytes in what was sent. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** A text to scan, and where in the bytes its findings are. */
interface Scannable {
  readonly text: string
  /** The spans of findings, in their order; one pass over the text, however many they are. */
  readonly spansOf: (findings: readonly Finding[]) => readonly ByteSpan[]
}

/**
 * What to scan of bytes, one reading at a time: their text, and what of it an encoding or an escape
 * would hide from every rule. Bytes that are not UTF-8 are read byte by byte, since what a rule looks
 * for is ASCII in every encoding; UTF-16 is that with a NUL at every character. JSON escapes are
 * decoded wherever they stand, for output is often JSON lines, or JSON inside of other text.
 */
export function* scannables(bytes: Bytes): Generator<Scannable> {
  const text = utf8Text(bytes)
  const read: Reading =
    text === null
      ? { text: bytewise.decode(bytes), places: (offsets) => offsets }
      : { text, places: (offsets) => utf8Places(text, offsets) }
  yield* unescaped(read)
  if (bytes.includes(0)) yield* unescaped(replaced(read, LONE_NUL, () => ''))
}

/** One byte, one character: windows-1252, which is ASCII where it matters. */
const bytewise = new TextDecoder('latin1')

/** A NUL between other characters; more of them together are padding and part the texts around them. */
const LONE_NUL = /(?<!\0)\0(?!\0)/g

/** A text, and where its offsets (in ascending order) stand in the bytes that it was read from. */
interface Reading {
  readonly text: string
  readonly places: (offsets: readonly number[]) => readonly number[]
}

const ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|(["\\/bfnrt]))/g
/**
 * An escape inside of any number of JSON strings: each adds backslashes, or writes one as `\u005c`.
 * It never fails after its first character, so that it is linear.
 */
const NESTED_ESCAPE = /\\+(?:u005[Cc]\\*){0,16}(?:u([0-9A-Fa-f]{4})|(["/bfnrt]))?/g
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}

/** A reading as it is, with its escapes decoded once, and with all of them decoded to the bottom. */
function* unescaped(reading: Reading): Generator<Scannable> {
  yield scannable(reading)
  if (!reading.text.includes('\\')) return
  const once = replaced(reading, ESCAPE, character)
  if (once.text.length === reading.text.length) return
  yield scannable(once)
  const whole = replaced(reading, NESTED_ESCAPE, character)
  if (whole.text !== once.text) yield scannable(whole)
}

const character = ([, hex, short = '\\']: readonly string[]): string =>
  hex === undefined
    ? (SHORT_ESCAPES[short] ?? short)
    : String.fromCharCode(Number.parseInt(hex, 16))

/** A reading with every match replaced by what `by` makes of it. */
function replaced(
  reading: Reading,
  pattern: RegExp,
  by: (match: readonly string[]) => string,
): Reading {
  return {
    text: reading.text.replace(pattern, (...match) => by(match as string[])),
    places: (offsets) => {
      const matches = reading.text.matchAll(pattern)
      let match = matches.next().value
      // How much shorter the text is by what was replaced so far.
      let shorter = 0
      return reading.places(
        offsets.map((offset) => {
          for (; match !== undefined; match = matches.next().value) {
            const made = by(match).length
            if (match.index - shorter + made > offset) break
            shorter += match[0].length - made
          }
          return offset + shorter
        }),
      )
    },
  }
}

function utf8Places(text: string, offsets: readonly number[]): readonly number[] {
  let at = 0
  let place = 0
  return offsets.map((offset) => {
    place += utf8Length(text.slice(at, offset))
    at = offset
    return place
  })
}

const scannable = ({ places, text }: Reading): Scannable => ({
  text,
  spansOf: (findings) => {
    const ends = findings.flatMap(({ start, end }) => [start, end])
    const offsets = [...new Set(ends)].toSorted((one, other) => one - other)
    const found = places(offsets)
    const placeOf = new Map(offsets.map((offset, index) => [offset, found[index] ?? 0]))
    return findings.map(({ start, end }) => ({
      start: placeOf.get(start) ?? 0,
      end: placeOf.get(end) ?? 0,
    }))
  },
})
