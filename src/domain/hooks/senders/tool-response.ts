import { formatPointer } from '../../json/pointer.ts'
import { locate, sourceAt, splice } from '../../json/source.ts'
import { isList, isObject } from '../../json/value.ts'

/** How much of a long output stays around its placeholder (DESIGN section 8). */
export const HEAD_LINES = 40
export const TAIL_LINES = 20
// Lines can be long: a minified bundle is one. Tokens are what counts, so characters end it too.
const HEAD_CHARS = 8_000
const TAIL_CHARS = 4_000
const MAX_DEPTH = 6

/** One text of a tool's response: where it stands in the hook's payload, and what it says. */
export interface ResponseText {
  /** RFC 6901, from the root of the payload. */
  readonly pointer: string
  readonly text: string
}

const RESPONSE = 'tool_response'

// The members in which Claude Code's tools and MCP servers put what the model reads.
const TEXT_MEMBERS: ReadonlySet<string> = new Set([
  'stdout',
  'stderr',
  'content',
  'text',
  'result',
  'output',
])
// Members that hold such members: Read puts its text into `file`.
const OUTER_MEMBERS: ReadonlySet<string> = new Set(['file', 'content', 'result', 'output'])

/** The texts of a response that the model reads, empty ones and images apart, in their order. */
export function responseTexts(response: unknown): readonly ResponseText[] {
  const found: ResponseText[] = []
  collect(response, [RESPONSE], found)
  return found
}

/** The response's JSON source inside a payload with other texts: all else as the tool wrote it. */
export function responseSource(payload: string, texts: readonly ResponseText[]): string {
  const spans = locate(
    payload,
    texts.map(({ pointer }) => pointer),
  )
  const edits = texts.flatMap(({ pointer, text }) => {
    const span = spans.get(pointer)
    return span === undefined ? [] : [{ span, text: JSON.stringify(text) }]
  })
  return sourceAt(splice(payload, edits), `/${RESPONSE}`) ?? 'null'
}

/** A text's first 40 and last 20 lines around a placeholder, or null where that is not shorter. */
export function clipped(text: string, placeholder: string): string | null {
  const head = wholeCharacters(text, Math.min(endOfLines(text, HEAD_LINES), HEAD_CHARS))
  const tail = wholeCharacters(
    text,
    Math.max(startOfLastLines(text, TAIL_LINES), text.length - TAIL_CHARS),
  )
  if (tail - head <= placeholder.length + 2) return null
  const before = text.slice(0, head)
  return `${before}${before.endsWith('\n') ? '' : '\n'}${placeholder}\n${text.slice(tail)}`
}

function collect(value: unknown, path: readonly (string | number)[], found: ResponseText[]): void {
  if (typeof value === 'string') {
    if (value !== '') found.push({ pointer: formatPointer(path), text: value })
  } else if (path.length > MAX_DEPTH) return
  else if (isList(value)) {
    // A list of strings is a list of names, not an output; content blocks are objects.
    for (const [index, item] of value.entries())
      if (isObject(item)) collect(item, [...path, index], found)
  } else if (isObject(value) && value['isImage'] !== true && value['type'] !== 'image')
    for (const [name, member] of Object.entries(value)) {
      const read = typeof member === 'string' ? TEXT_MEMBERS : OUTER_MEMBERS
      if (read.has(name)) collect(member, [...path, name], found)
    }
}

/** Where the first `count` lines end, their line end included. */
function endOfLines(text: string, count: number): number {
  let end = 0
  for (let line = 0; line < count; line++) {
    const next = text.indexOf('\n', end)
    if (next === -1) return text.length
    end = next + 1
  }
  return end
}

/** Where the last `count` lines start; a line end at the very end begins no line of its own. */
function startOfLastLines(text: string, count: number): number {
  let start = text.endsWith('\n') ? text.length - 1 : text.length
  for (let line = 0; line < count; line++) {
    if (start === 0) return 0
    start = text.lastIndexOf('\n', start - 1)
    if (start === -1) return 0
  }
  return start + 1
}

/** A cut that leaves surrogate pairs whole. */
function wholeCharacters(text: string, at: number): number {
  const before = text.charCodeAt(at - 1)
  return at > 0 && at < text.length && before >= 0xd800 && before < 0xdc00 ? at - 1 : at
}
