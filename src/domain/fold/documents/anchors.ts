import { isDigit, isLetter, isWordAt } from '../markdown/characters.ts'
import { find, skip, skipBack, unitSet } from '../markdown/unit-sets.ts'

/** A piece of text that names a file or a glob, with the lines behind it where there are any. */
interface PathToken {
  /** `a/b.rb:42-78`, or `a/b/**` where no lines are named. */
  readonly path: string
  readonly has_lines: boolean
  /** 0-based offset in the text. */
  readonly start: number
}

/** What ends a token; `{a,b}` and `*` belong to globs. */
const BREAKS = unitSet(' \t"\'`()[]<>|;=“”‘’')

/** Visits the paths of a prose text, in one pass: tokens with a `/`, a `*.`, or a name and `:lines`. */
export function eachPath(text: string, visit: (token: PathToken) => void): void {
  for (let start = 0; start < text.length;) {
    const end = find(text, start, BREAKS)
    if (end > start + 2) {
      const { paths, has_lines } = pathsOf(text.slice(start, end), text[start - 1] === '`')
      for (const path of paths) visit({ path, has_lines, start })
    }
    start = end + 1
  }
}

/** More ranges of one path than that stay one anchor: a path must not be written out without end. */
const MOST_RANGES = 16

/**
 * `path:lines` with a plain hyphen, as both documents' anchors are compared; one for each range of
 * `42-78, 90-95`.
 */
export function anchorsOf(path: string, lines: string): readonly string[] {
  const spelled = lines.includes('–') || lines.includes(' ')
  const plain = spelled ? lines.replaceAll('–', '-').replaceAll(' ', '') : lines
  const ranges = plain.includes(',') ? plain.split(',').filter(Boolean) : [plain]
  return (ranges.length > MOST_RANGES ? [plain] : ranges).map((range) => `${path}:${range}`)
}

/** The anchors that an anchor with several ranges stands for; itself where it has one, or no lines. */
export function partsOf(anchor: string): readonly string[] {
  const colon = anchor.lastIndexOf(':')
  const isList = anchor.includes(',', colon) && skip(anchor, colon + 1, RANGES) === anchor.length
  return colon > 0 && isList ? anchorsOf(anchor.slice(0, colon), anchor.slice(colon + 1)) : [anchor]
}

const RANGES = unitSet('0123456789-–, ')

/** The folder that every match of a glob is in: what stands before its first wildcard. */
export function globRoot(glob: string): string | null {
  const wildcard = find(glob, 0, WILDCARDS)
  return wildcard === glob.length ? null : glob.slice(0, wildcard)
}

const WILDCARDS = unitSet('*?{')

interface Paths {
  readonly paths: readonly string[]
  readonly has_lines: boolean
}

const NO_PATHS: Paths = { paths: [], has_lines: false }

/** `Gemfile:3` is a file in backticks; without them it may be anything. */
function pathsOf(token: string, quoted: boolean): Paths {
  if (token.includes('://')) return NO_PATHS
  const colon = colonBeforeDigit(token)
  if (colon > 0) {
    const path = token.slice(0, colon)
    const end = linesEnd(token, colon + 1)
    return (isFileName(path) || (quoted && hasLetter(path))) && !isWordAt(token, end)
      ? { paths: anchorsOf(path, token.slice(colon + 1, end)), has_lines: true }
      : NO_PATHS
  }
  const path = withoutPunctuation(token)
  return (path.includes('/') || path.includes('*.')) && hasLetter(path)
    ? { paths: [path], has_lines: false }
    : NO_PATHS
}

function colonBeforeDigit(token: string): number {
  let colon = token.indexOf(':')
  while (colon !== -1 && !isDigit(token.charCodeAt(colon + 1)))
    colon = token.indexOf(':', colon + 1)
  return colon
}

/** Behind `42`, `42-78` or `42-78,90`. */
function linesEnd(token: string, start: number): number {
  for (let from = start; ;) {
    let end = digitsEnd(token, from)
    const dash = token[end] === '-' || token[end] === '–'
    if (dash && isDigit(token.charCodeAt(end + 1))) end = digitsEnd(token, end + 1)
    if (token[end] !== ',' || !isDigit(token.charCodeAt(end + 1))) return end
    from = end + 1
  }
}

function digitsEnd(token: string, start: number): number {
  let end = start
  while (isDigit(token.charCodeAt(end))) end += 1
  return end
}

const isFileName = (path: string): boolean =>
  (path.includes('/') || path.includes('.')) && hasLetter(path)

function hasLetter(path: string): boolean {
  for (let index = 0; index < path.length; index++) {
    const unit = path.charCodeAt(index)
    if (isLetter(unit) || unit >= 0x80) return true
  }
  return false
}

const PUNCTUATION = unitSet('.,:!?')

function withoutPunctuation(token: string): string {
  return token.slice(0, skipBack(token, 0, token.length, PUNCTUATION))
}
