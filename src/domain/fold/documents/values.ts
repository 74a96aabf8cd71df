import { isBlank, trimBlanks } from '../markdown/characters.ts'
import { itemOf } from '../markdown/items.ts'

/** A part of a field's value: one line's text from `column` (1-based) on. */
export interface ValueLine {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly place: 'text' | 'code'
}

/**
 * A value as one line, for comparison word by word: line breaks and runs of blanks are one space;
 * quote and list marks before a line, and emphasis, quotes or backticks around the whole, are not
 * part of it.
 */
export function valueText(lines: readonly ValueLine[]): string {
  const words: string[] = []
  for (const line of lines) collectWords(withoutLineMarks(line.text), words)
  return withoutWrapping(words.join(' '))
}

const WRAPPINGS = ['**', '__', '*', '_', '`', '"', '“”'] as const

function withoutWrapping(text: string): string {
  let inner = text
  for (const wrapping of WRAPPINGS) {
    const open = wrapping === '“”' ? '“' : wrapping
    const close = wrapping === '“”' ? '”' : wrapping
    const between = inner.slice(open.length, inner.length - close.length)
    if (
      inner.length > open.length + close.length &&
      inner.startsWith(open) &&
      inner.endsWith(close) &&
      !between.includes(open)
    )
      inner = trimBlanks(between)
  }
  return inner
}

function withoutLineMarks(text: string): string {
  let start = 0
  while (start < text.length && (text[start] === '>' || isBlank(text.charCodeAt(start)))) start += 1
  const rest = text.slice(start)
  const item = itemOf(rest)
  return item === null ? rest : rest.slice(item.text)
}

function collectWords(text: string, words: string[]): void {
  for (let start = 0; start < text.length;) {
    let end = start
    while (end < text.length && !isBlank(text.charCodeAt(end))) end += 1
    if (end > start) words.push(text.slice(start, end))
    start = end + 1
  }
}
