import { asciiLower, isLetter, isUpper, isWordBefore } from '../markdown/characters.ts'
import { isAt, skip, unitSet } from '../markdown/unit-sets.ts'

/** Never a sentence's last word; `etc` and `al` only before a small letter. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  'e.g eg i.e ie dr mr mrs ms prof vs cf etc al approx resp incl viz fig figs eq'.split(' '),
)

/** What a paragraph's scan needs: the text, where its enclosures end, and where a citation ends. */
interface Paragraph {
  readonly text: string
  readonly enclosures: Int32Array
  /** Whether a citation opens at an offset. */
  readonly isCitation: (at: number) => boolean
  /** The end of the citations that stand at an offset, blanks before them included; or the offset. */
  readonly citationsEnd: (from: number) => number
}

/**
 * Gives the end of the sentence that starts at an offset, its closing quotes and emphasis included.
 * The offsets must rise: what was seen around one mark is kept for the next.
 */
export function createSentenceEnds(paragraph: Paragraph): (start: number) => number {
  const { text, enclosures } = paragraph
  const scan = {
    ...paragraph,
    endsMethodName: methodNameCursor(text),
    capitalFollows: capitalCursor(paragraph),
  }
  return (start) => {
    for (let index = start; index < text.length;) {
      const enclosed = enclosures[index] ?? 0
      if (enclosed > index) {
        index = enclosed
        continue
      }
      if (!isAt(text, index, TERMINATORS)) {
        index += 1
        continue
      }
      const behind = skip(text, index, TERMINATORS)
      const end = skip(text, behind, CLOSERS)
      if (endsSentence(scan, index, behind, end)) return end
      index = behind
    }
    return text.length
  }
}

/** What Unicode calls white space, and what shows as none at all (U+200B, U+FEFF). */
export const isSpaceAt = (text: string, index: number): boolean => isAt(text, index, SPACES)

const SPACE_UNITS =
  ' \t\n\v\f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff'

export const SPACES = unitSet(SPACE_UNITS)

/** What ends a sentence, where it does. */
export const TERMINATORS = unitSet('.!?。！？…')
const CLOSERS = unitSet('"\'”’»)]}*_」』）】')
const OPENERS = unitSet(`"'“‘([*_\`${SPACE_UNITS}`)
const IN_METHOD_NAMES = unitSet('#_.:`')

interface Scan extends Paragraph {
  readonly endsMethodName: (mark: number) => boolean
  readonly capitalFollows: (from: number) => boolean
}

function endsSentence(scan: Scan, from: number, behind: number, end: number): boolean {
  const { text } = scan
  const run = text.slice(from, behind)
  if (run.includes('。') || run.includes('！') || run.includes('？') || end === text.length)
    return true
  if (!isSpaceAt(text, end) && !scan.isCitation(end)) return false
  if (run === '.') {
    const word = wordBefore(text, from)
    if (word === 'etc' || word === 'al') return scan.capitalFollows(end)
    return !ABBREVIATIONS.has(word) && !isInitials(word)
  }
  const ellipsis = run.includes('..') || run.includes('…')
  return !(ellipsis || scan.endsMethodName(from)) || scan.capitalFollows(end)
}

const LONGEST_ABBREVIATION = 12

/** The letters and full stops before a full stop, in lower case; '' where they are longer. */
function wordBefore(text: string, dot: number): string {
  let start = dot
  while (
    dot - start <= LONGEST_ABBREVIATION &&
    (isLetter(text.charCodeAt(start - 1)) || text[start - 1] === '.')
  )
    start -= 1
  if (dot - start > LONGEST_ABBREVIATION || isWordBefore(text, start)) return ''
  return asciiLower(text.slice(start, dot))
}

/** `u.s`, `a.m`: single letters between full stops. */
function isInitials(word: string): boolean {
  if (word.length < 3 || word.length % 2 === 0) return false
  for (let index = 0; index < word.length; index++)
    if ((word[index] === '.') !== (index % 2 === 1)) return false
  return true
}

/** `User#valid?`, `save!` in `record.save!`, `open_ballot?`: a mark of the name, not of the sentence. */
function methodNameCursor(text: string): (mark: number) => boolean {
  let seen = 0
  let named = false
  return (mark) => {
    for (; seen < mark; seen++) {
      if (isSpaceAt(text, seen)) named = false
      else if (isAt(text, seen, IN_METHOD_NAMES)) named = true
    }
    return named
  }
}

/** Whether a capital letter follows, citations and what opens a sentence aside, or nothing at all. */
function capitalCursor({ text, citationsEnd }: Paragraph): (from: number) => boolean {
  let seen = { from: -1, end: -1, capital: false }
  return (from) => {
    // In the middle of a row of citations the answer is that of the row.
    if (from > seen.from && from <= seen.end) return seen.capital
    const end = citationsEnd(from)
    const index = skip(text, end, OPENERS)
    seen = { from, end, capital: index >= text.length || isUpper(text.charCodeAt(index)) }
    return seen.capital
  }
}
