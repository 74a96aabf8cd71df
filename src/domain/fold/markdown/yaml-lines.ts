import { asciiLower, isBlank, isLetter } from './characters.ts'
import { firstWord, itemOf, skipBlanks } from './items.ts'
import { firstVisible } from './lines.ts'
import { BLANKS, find, isAt, skip, skipBack, unitSet } from './unit-sets.ts'

/** `key: value` on one line; the key in lower case, the value as offsets of its text. */
export interface Pair {
  readonly key: string
  /** Offset of the key. */
  readonly start: number
  readonly from: number
  readonly to: number
}

const LONGEST_KEY = 24
const NO_PAIRS: readonly Pair[] = []

/**
 * The pairs of one line of a record: `key: value`, `- key: value`, `**Key**: value`, the members of
 * `- {key: value, key: value}`, or a key and the members of `key: [{key: value}]`. This is the part of
 * YAML that findings are written in, line by line.
 */
export function pairsOf(text: string): readonly Pair[] {
  const pair = pairAt(text, firstWord(text), false)
  if (pair === null) return NO_PAIRS
  const flow = text.lastIndexOf('{', pair.start)
  return flow !== -1 && flow === (itemOf(text)?.text ?? firstVisible(text))
    ? flowPairs(text, flow + 1)
    : opensFlow(text, pair.from)
      ? [pair, ...flowPairs(text, pair.from)]
      : [pair]
}

/** The value of a pair, without quotes. */
export function valueOf(text: string, { from, to }: Pair): string {
  const end = skipBack(text, from, to, BLANKS)
  const quote = text[from]
  const quoted = quote === '"' || quote === "'" || quote === '`'
  return quoted && end - from > 1 && text[end - 1] === quote
    ? text.slice(from + 1, end - 1)
    : text.slice(from, end)
}

/** Whether a pair begins a block scalar (`claim: |`), whose deeper lines are text and no keys. */
export const isBlockScalar = (text: string, { from, to }: Pair): boolean =>
  (text[from] === '|' || text[from] === '>') && skipBack(text, from, to, BLANKS) - from <= 3

const opensFlow = (text: string, from: number): boolean =>
  text[from] === '{' || (text[from] === '[' && text[skipBlanks(text, from + 1)] === '{')

function flowPairs(text: string, from: number): readonly Pair[] {
  const pairs: Pair[] = []
  for (let start = from; start < text.length;) {
    const pair = pairAt(text, skip(text, start, BETWEEN_MEMBERS), true)
    if (pair === null) return pairs
    pairs.push(pair)
    start = pair.to + 1
  }
  return pairs
}

const BETWEEN_MEMBERS = unitSet('"\'*_` \t[]{},')
const QUOTES = unitSet('"\'*_` \t')
const EMPHASIS = unitSet('*_')
const BEHIND_COLON = unitSet(' \t*_`')
const FLOW_ENDS = unitSet(',}]')

function pairAt(text: string, start: number, flow: boolean): Pair | null {
  const most = Math.min(start + LONGEST_KEY, text.length)
  let end = start
  while (end < most && (isLetter(text.charCodeAt(end)) || text[end] === '_')) end += 1
  if (end === start || end === text.length) return null
  const colon = text[end] === ':' ? end : skip(text, end, QUOTES)
  if (text[colon] !== ':') return null
  if (colon + 1 < text.length && !isAt(text, colon + 1, BEHIND_COLON)) return null
  const from = skipBlanks(text, skip(text, colon + 1, EMPHASIS))
  const to = flow ? find(text, from, FLOW_ENDS) : commentStart(text, from)
  return { key: asciiLower(text.slice(start, end)), start, from, to }
}

/** A comment begins at a `#` behind a blank, or at the value's start. */
function commentStart(text: string, from: number): number {
  for (let hash = text.indexOf('#', from); hash !== -1; hash = text.indexOf('#', hash + 1))
    if (hash === from || isBlank(text.charCodeAt(hash - 1))) return hash
  return text.length
}
