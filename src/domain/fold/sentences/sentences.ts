import { asciiLower, isLetter, isSpoken } from '../markdown/characters.ts'
import type { Line } from '../markdown/lines.ts'
import { paragraphsOf, type Paragraph } from '../markdown/paragraphs.ts'
import type { Position } from '../markdown/position.ts'
import { isAt, skip, unitSet } from '../markdown/unit-sets.ts'
import { enclosuresOf } from './enclosures.ts'
import { idAt, idsIn, type Mention } from './ids.ts'
import { createSentenceEnds, isSpaceAt, SPACES, TERMINATORS } from './sentence-ends.ts'

/** One sentence, where it starts, and the ids that it carries or that follow it directly. */
export interface Sentence extends Position {
  readonly text: string
  readonly ids: readonly Mention[]
}

/**
 * Splits prose into sentences. No locale, no dictionary of the engine: the same text gives the same
 * sentences everywhere.
 *
 * 1. Paragraphs. A blank line, a list item, a heading, a rule, a table row and a fence's own line end
 *    a paragraph, and with it a sentence; any other line break is a blank. Quote marks, list markers,
 *    check boxes and a heading's hashes are no part of the text. A heading holds sentences as other text
 *    does, in a fence or not, but for one that asks (`### DT-1: which jobs?`) and one of at most two
 *    words without a full stop (`### Summary`).
 * 2. `.`, `!`, `?` (or a run of them) end a sentence where a blank, a citation or the paragraph's end
 *    follows, closing quotes, brackets and emphasis in between included. So `foo.rb:42`, `v1.2.3`,
 *    `3.14`, `a.b()`, paths and URLs end nothing. `。`, `！`, `？` always end one.
 * 3. Not inside backticks or brackets that close in the same paragraph, full-width ones too.
 * 4. Not behind an abbreviation (e.g., i.e., Dr., vs., cf. and others) or single letters with full
 *    stops (`U.S.`); `etc.` and `et al.` do end one before a capital letter.
 * 5. `..`, `...` and `…` end one only before a capital letter or at the paragraph's end; `?` and `!`
 *    behind a method's name (`A#b?`, `a_b!`) likewise.
 * 6. Ids alone (`DT-1` too), in brackets or bare, are no sentence; nor with words like `see` or `per`
 *    before them. A citation is brackets that begin so and hold no sentence (`[FINDING-001, H]`), with
 *    the target of its link. Directly behind a sentence that names no finding, ids and citations
 *    belong to it (`It is so. [FINDING-001]`), else to the next one.
 */
export function splitSentences(lines: readonly Line[]): readonly Sentence[] {
  return paragraphsOf(lines).flatMap(splitParagraph)
}

interface Draft extends Sentence {
  readonly ids: Mention[]
}

function splitParagraph(paragraph: Paragraph): readonly Sentence[] {
  const { text } = paragraph
  const ids = idsIn(text)
  const enclosures = enclosuresOf(text)
  const isCitation = (at: number): boolean => citationEnd(text, enclosures, at) !== -1
  const citationsEnd = (from: number): number => behindCitations(text, enclosures, from)
  const sentenceEnd = createSentenceEnds({ text, enclosures, isCitation, citationsEnd })
  const positionOf = positionCursor(paragraph)
  const sentences: Draft[] = []
  let taken = 0
  const takeIds = (end: number): Mention[] => {
    const from = taken
    while ((ids[taken]?.start ?? Infinity) < end) taken += 1
    return ids.slice(from, taken)
  }
  for (let start = skipSpace(text, 0); start < text.length;) {
    let end = sentenceEnd(start)
    const own = takeIds(end)
    if (!hasWords(text, start, end, own)) for (const id of own) sentences.at(-1)?.ids.push(id)
    else {
      const sentence = { text: text.slice(start, end), ids: own, ...positionOf(start) }
      if (!own.some((id) => id.kind === 'FINDING')) {
        end = citationsEnd(end)
        for (const id of takeIds(end)) own.push(id)
      }
      sentences.push(sentence)
    }
    start = skipSpace(text, end)
  }
  return sentences
}

/** Behind `[FINDING-001]`, `(FINDING-001, GAP-002)` and more such, blanks before them included. */
function behindCitations(text: string, enclosures: Int32Array, from: number): number {
  for (let end = from; ;) {
    const next = citationEnd(text, enclosures, skipSpace(text, end))
    if (next === -1) return end
    end = next
    while (text[end] === '.' || text[end] === '。') end += 1
  }
}

/** The end of the citation that opens at `start`, or -1; a link's target included. */
function citationEnd(text: string, enclosures: Int32Array, start: number): number {
  const end = enclosures[start] ?? 0
  if (end <= start || !beginsWithId(text, start, end)) return -1
  if (holdsSentence(text, start, end) && !holdsIdsOnly(text.slice(start, end))) return -1
  const linked = text[start] === '[' && isAt(text, end, LINK_OPENERS)
  return linked ? Math.max(end, enclosures[end] ?? 0) : end
}

const LINK_OPENERS = unitSet('([')

function beginsWithId(text: string, start: number, end: number): boolean {
  for (let index = start; index < end;) {
    if (idAt(text, index) !== null) return true
    const behind = isSpoken(text.charCodeAt(index)) ? behindFiller(text, index) : index + 1
    if (behind === -1) return false
    index = behind
  }
  return false
}

function holdsSentence(text: string, start: number, end: number): boolean {
  for (let index = start; index < end - 1; index++)
    if (isAt(text, index, TERMINATORS) && (index === end - 2 || isSpaceAt(text, index + 1)))
      return true
  return false
}

const holdsIdsOnly = (text: string): boolean => !hasWords(text, 0, text.length, idsIn(text))

/** Words that may stand before and between ids without making a sentence of them. */
const FILLERS: ReadonlySet<string> = new Set(
  'and or see also per via cf ref refs source sources evidence'.split(' '),
)
const LONGEST_FILLER = 8

/** Behind the filler that starts at `index`, or -1 where another word does. */
function behindFiller(text: string, index: number): number {
  let last = index
  while (last - index <= LONGEST_FILLER && isLetter(text.charCodeAt(last))) last += 1
  return FILLERS.has(asciiLower(text.slice(index, last))) ? last : -1
}

/** Whether a piece of text has a letter or a digit outside its ids. */
function hasWords(text: string, start: number, end: number, ids: readonly Mention[]): boolean {
  let next = 0
  for (let index = start; index < end;) {
    const id = ids[next]
    if (id !== undefined && index === id.start) {
      index = id.end
      next += 1
    } else if (isSpoken(text.charCodeAt(index))) {
      const behind = Math.max(
        ids.length > 0 ? behindFiller(text, index) : -1,
        behindTarget(text, index),
      )
      if (behind === -1) return true
      index = behind
    } else index += 1
  }
  return false
}

/** Behind `DT-1`, or -1. */
function behindTarget(text: string, index: number): number {
  const end = text.startsWith('DT-', index) ? skip(text, index + 3, DIGITS) : 0
  return end > index + 3 ? end : -1
}

const DIGITS = unitSet('0123456789')

const skipSpace = (text: string, from: number): number => skip(text, from, SPACES)

/** Gives the document's positions of rising offsets in a paragraph. */
function positionCursor(paragraph: Paragraph): (offset: number) => Position {
  const { parts } = paragraph
  let part = 0
  return (offset) => {
    while ((parts[part + 1]?.offset ?? Infinity) <= offset) part += 1
    const { line = 1, column = 1, offset: from = 0 } = parts[part] ?? {}
    return { line, column: column + offset - from }
  }
}
