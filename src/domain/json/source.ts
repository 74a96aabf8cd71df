import { arrayIndex, parsePointer } from './pointer.ts'
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  skipSpace,
  stringEnd,
  valueEnd,
} from './scan.ts'

/** A half-open range of JSON source text, in UTF-16 code units. */
interface Span {
  readonly start: number
  readonly end: number
}

export interface Edit {
  readonly span: Span
  readonly text: string
}

/**
 * The spans of the values that the pointers name, found in one linear pass over the source, which
 * must be JSON that `JSON.parse` took. Of duplicate keys the last counts, as there. A pointer that
 * names nothing is not in the answer.
 */
export function locate(source: string, pointers: Iterable<string>): Map<string, Span> {
  const found: (Found | null)[] = []
  visit(source, skipSpace(source, 0), wantedTree(pointers), found)
  const spans = new Map<string, Span>()
  for (const hit of found) if (hit !== null) spans.set(hit.pointer, hit.span)
  return spans
}

/** The source text of the value that a pointer names, as it is spelled; null where it names none. */
export function sourceAt(source: string, pointer: string): string | null {
  const span = locate(source, [pointer]).get(pointer)
  return span === undefined ? null : source.slice(span.start, span.end)
}

/** The source with each span replaced by its text. Spans must not overlap; any order. */
export function splice(source: string, edits: readonly Edit[]): string {
  const ordered = edits.toSorted((a, b) => a.span.start - b.span.start)
  const pieces: string[] = []
  let at = 0
  for (const { span, text } of ordered) {
    if (span.start < at) throw new Error('overlapping edits')
    pieces.push(source.slice(at, span.start), text)
    at = span.end
  }
  pieces.push(source.slice(at))
  return pieces.join('')
}

/** Whether objects and arrays nest more than `limit` deep; for any text, JSON or not. Linear. */
export function jsonDepthExceeds(source: string, limit: number): boolean {
  let depth = 0
  for (let index = 0; index < source.length; index++) {
    const unit = source.charCodeAt(index)
    if (unit === QUOTE) index = stringEnd(source, index) - 1
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) {
      depth += 1
      if (depth > limit) return true
    } else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) depth -= 1
  }
  return false
}

interface Found {
  readonly pointer: string
  readonly span: Span
}

/** A node of the trie of wanted pointers; `from` and `to` say which hits its last visit gave. */
interface Wanted {
  pointer: string | null
  readonly keys: Map<string, Wanted>
  readonly indexes: Map<number, Wanted>
  from: number
  to: number
}

const wanted = (): Wanted => ({
  pointer: null,
  keys: new Map(),
  indexes: new Map(),
  from: 0,
  to: 0,
})

function wantedTree(pointers: Iterable<string>): Wanted {
  const root = wanted()
  for (const pointer of pointers) {
    const segments = parsePointer(pointer)
    if (segments === null) continue
    let node = root
    for (const segment of segments) {
      let child = node.keys.get(segment)
      if (child === undefined) {
        child = wanted()
        node.keys.set(segment, child)
        const index = arrayIndex(segment)
        if (index !== null) node.indexes.set(index, child)
      }
      node = child
    }
    node.pointer = pointer
  }
  return root
}

function visit(source: string, start: number, node: Wanted, found: (Found | null)[]): number {
  const opener = source[start]
  let end: number
  if (opener === '{' && node.keys.size > 0) end = visitObject(source, start, node, found)
  else if (opener === '[' && node.indexes.size > 0) end = visitArray(source, start, node, found)
  else end = valueEnd(source, start)
  if (node.pointer !== null) found.push({ pointer: node.pointer, span: { start, end } })
  return end
}

function visitObject(source: string, start: number, node: Wanted, found: (Found | null)[]): number {
  let at = skipSpace(source, start + 1)
  while (source[at] === '"') {
    const keyEnd = stringEnd(source, at)
    const child = node.keys.get(decodeKey(source.slice(at, keyEnd)))
    at = skipSpace(source, skipSpace(source, keyEnd) + 1)
    if (child === undefined) at = valueEnd(source, at)
    else {
      // A key seen before in this object: what its earlier value gave no longer counts.
      found.fill(null, child.from, child.to)
      child.from = found.length
      at = visit(source, at, child, found)
      child.to = found.length
    }
    at = skipSpace(source, at)
    if (source[at] === ',') at = skipSpace(source, at + 1)
  }
  return at + 1
}

function visitArray(source: string, start: number, node: Wanted, found: (Found | null)[]): number {
  let at = skipSpace(source, start + 1)
  for (let index = 0; source[at] !== ']' && at < source.length; index++) {
    const child = node.indexes.get(index)
    at = child === undefined ? valueEnd(source, at) : visit(source, at, child, found)
    at = skipSpace(source, at)
    if (source[at] === ',') at = skipSpace(source, at + 1)
  }
  return at + 1
}

const decodeKey = (quoted: string): string =>
  quoted.includes('\\') ? (JSON.parse(quoted) as string) : quoted.slice(1, -1)
