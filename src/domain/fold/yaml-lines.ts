import { asciiLower, isBlank, isLetter, trimBlanks } from './characters.ts'
import { firstWord, itemOf, skipBlanks } from './items.ts'
import { firstVisible } from './lines.ts'

/** `key: value` on one line; the key in lower case, the value without quotes and comment. */
export interface Pair {
  readonly key: string
  readonly value: string
}

const LONGEST_KEY = 24

/**
 * The pairs of one line of a record: `key: value`, `- key: value`, `**Key**: value`, or the members of
 * `- {key: value, key: value}`. This is the part of YAML that findings are written in, line by line.
 */
export function pairsOf(text: string): readonly Pair[] {
  const item = itemOf(text)?.text ?? firstVisible(text)
  if (text[item] === '{') return flowPairs(text, item + 1)
  const pair = pairAt(text, firstWord(text), false)
  return pair === null ? [] : [pair]
}

/** Whether a line begins a block scalar (`claim: |`), whose deeper lines are text and no keys. */
export function blockScalarIndent(text: string): number | null {
  const start = firstWord(text)
  const pair = pairAt(text, start, false)
  if (pair === null || (pair.value[0] !== '|' && pair.value[0] !== '>')) return null
  return pair.value.length <= 3 ? start : null
}

function flowPairs(text: string, from: number): readonly Pair[] {
  const pairs: Pair[] = []
  for (let start = from; start < text.length;) {
    const pair = pairAt(text, skipQuotes(text, start), true)
    if (pair === null) return pairs
    pairs.push(pair)
    start = pair.end + 1
  }
  return pairs
}

function pairAt(text: string, start: number, flow: boolean): (Pair & { end: number }) | null {
  let end = start
  while (end - start < LONGEST_KEY && (isLetter(text.charCodeAt(end)) || text[end] === '_'))
    end += 1
  if (end === start) return null
  const key = asciiLower(text.slice(start, end))
  end = skipQuotes(text, end)
  if (text[end] !== ':' || (end + 1 < text.length && !' \t*_`'.includes(text[end + 1] ?? '')))
    return null
  const value = skipBlanks(text, skipEmphasis(text, end + 1))
  const valueEnd = flow ? flowEnd(text, value) : commentStart(text, value)
  return { key, value: unquoted(trimBlanks(text.slice(value, valueEnd))), end: valueEnd }
}

function skipQuotes(text: string, from: number): number {
  let index = from
  while (
    index < text.length &&
    ('"\'*_`'.includes(text[index] ?? '') || isBlank(text.charCodeAt(index)))
  )
    index += 1
  return index
}

function skipEmphasis(text: string, from: number): number {
  let index = from
  while (text[index] === '*' || text[index] === '_') index += 1
  return index
}

function flowEnd(text: string, from: number): number {
  let end = from
  while (end < text.length && text[end] !== ',' && text[end] !== '}') end += 1
  return end
}

/** A comment begins at a `#` behind a blank, or at the value's start. */
function commentStart(text: string, from: number): number {
  for (let hash = text.indexOf('#', from); hash !== -1; hash = text.indexOf('#', hash + 1))
    if (hash === from || isBlank(text.charCodeAt(hash - 1))) return hash
  return text.length
}

function unquoted(value: string): string {
  const first = value[0]
  const quoted = first === '"' || first === "'" || first === '`'
  return quoted && value.length > 1 && value.endsWith(first) ? value.slice(1, -1) : value
}
