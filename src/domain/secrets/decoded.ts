import { utf8Length, utf8Text } from '../bytes.ts'
import type { Bytes } from '../bytes.ts'
import { QUOTE, stringEnd } from '../json/scan.ts'
import type { Finding } from './finding.ts'

/** A range of bytes in what was sent. */
export interface ByteSpan {
  readonly start: number
  readonly end: number
}

/** A text to scan, and where in the bytes a finding of it is. */
export interface Scannable {
  readonly text: string
  readonly spanOf: (finding: Finding) => ByteSpan
}

/**
 * What to scan of bytes: their text; of JSON also its strings, decoded, since an escape hides a secret
 * from every rule. Bytes that are not UTF-8 have no text to scan.
 */
export function scannables(bytes: Bytes): readonly Scannable[] {
  const text = utf8Text(bytes)
  if (text === null) return []
  const plain: Scannable = {
    text,
    spanOf: ({ start, end }) => {
      const before = utf8Length(text.slice(0, start))
      return { start: before, end: before + utf8Length(text.slice(start, end)) }
    },
  }
  return text.includes('\\') && isJson(text) ? [plain, decodedStrings(text)] : [plain]
}

/** All strings of JSON source in one text, a line each; a finding is placed at its string literal. */
function decodedStrings(source: string): Scannable {
  const starts: number[] = []
  const literals: { readonly start: number; readonly end: number }[] = []
  const lines: string[] = []
  let length = 0
  for (let at = 0; at < source.length; at++) {
    if (source.charCodeAt(at) !== QUOTE) continue
    const end = stringEnd(source, at)
    const line = JSON.parse(source.slice(at, end)) as string
    starts.push(length)
    literals.push({ start: at, end })
    lines.push(line)
    length += line.length + 1
    at = end - 1
  }
  return {
    text: lines.join('\n'),
    spanOf: ({ start }) => {
      const literal = literals[lastBefore(starts, start)] ?? { start: 0, end: source.length }
      const before = utf8Length(source.slice(0, literal.start))
      return { start: before, end: before + utf8Length(source.slice(literal.start, literal.end)) }
    },
  }
}

function lastBefore(starts: readonly number[], offset: number): number {
  let left = 0
  let right = starts.length
  while (right - left > 1) {
    const middle = (left + right) >> 1
    if ((starts[middle] ?? 0) <= offset) left = middle
    else right = middle
  }
  return left
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
