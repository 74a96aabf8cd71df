import { isDigit, isLetter, isWordAt } from './characters.ts'
import { find, skipBack, unitSet } from './unit-sets.ts'

/** A piece of text that names a file or a glob, with the lines behind it where there are any. */
export interface PathToken {
  /** `a/b.rb:42-78`, or `a/b/**` where no lines are named. */
  readonly path: string
  readonly has_lines: boolean
}

/** What ends a token; `{a,b}` and `*` belong to globs. */
const BREAKS = unitSet(' \t"\'`()[]<>|;=“”‘’')

/** Visits the paths of a prose text, in one pass: tokens with a `/`, a `*.`, or a name and `:lines`. */
export function eachPath(text: string, visit: (token: PathToken) => void): void {
  for (let start = 0; start < text.length;) {
    const end = find(text, start, BREAKS)
    if (end > start + 2) {
      const token = pathToken(text.slice(start, end))
      if (token !== null) visit(token)
    }
    start = end + 1
  }
}

/** `path:lines` with a plain hyphen, as both documents' anchors are compared. */
export function anchorOf(path: string, lines: string): string {
  const spelled = lines.includes('–') || lines.includes(' ')
  return `${path}:${spelled ? lines.replaceAll('–', '-').replaceAll(' ', '') : lines}`
}

/** The folder that every match of a glob is in: what stands before its first wildcard. */
export function globRoot(glob: string): string | null {
  const wildcard = find(glob, 0, WILDCARDS)
  return wildcard === glob.length ? null : glob.slice(0, wildcard)
}

const WILDCARDS = unitSet('*?{')

function pathToken(token: string): PathToken | null {
  if (token.includes('://')) return null
  const colon = colonBeforeDigit(token)
  if (colon > 0) {
    const path = token.slice(0, colon)
    const end = linesEnd(token, colon + 1)
    return isFileName(path) && !isWordAt(token, end)
      ? { path: anchorOf(path, token.slice(colon + 1, end)), has_lines: true }
      : null
  }
  const path = withoutPunctuation(token)
  return (path.includes('/') || path.includes('*.')) && hasLetter(path)
    ? { path, has_lines: false }
    : null
}

function colonBeforeDigit(token: string): number {
  let colon = token.indexOf(':')
  while (colon !== -1 && !isDigit(token.charCodeAt(colon + 1)))
    colon = token.indexOf(':', colon + 1)
  return colon
}

/** Behind `42` or `42-78`. */
function linesEnd(token: string, start: number): number {
  let end = start
  while (isDigit(token.charCodeAt(end))) end += 1
  if ((token[end] !== '-' && token[end] !== '–') || !isDigit(token.charCodeAt(end + 1))) return end
  end += 1
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
