import { asciiLower, isBlank } from './characters.ts'
import type { ValueLine } from './values.ts'

/** The globs of a SCOPE; the same glob twice is one. */
export interface Scope {
  readonly include: ReadonlySet<string>
  readonly exclude: ReadonlySet<string>
}

/**
 * Reads the globs of a SCOPE value: one a line in a fence, or separated by blanks and commas
 * elsewhere. `Exclude` and `include` switch sides, `!glob` is excluded. A word counts as a glob when
 * it has a `/`, `*` or `.`, stands in backticks or in a fence, or is in `known`.
 */
export function readScope(
  lines: readonly ValueLine[],
  side: 'include' | 'exclude' = 'include',
  known: ReadonlySet<string> = new Set(),
): Scope {
  const scope = { include: new Set<string>(), exclude: new Set<string>() }
  let current = side
  for (const line of lines)
    eachToken(line.text, (raw) => {
      const turned = sideOf(raw)
      if (turned !== null) {
        current = turned
        return
      }
      const quoted = line.place === 'code' || raw.includes('`')
      const token = bare(raw)
      const glob = token.startsWith('!') ? token.slice(1) : token
      if (glob === '' || !(quoted || known.has(glob) || looksLikeGlob(glob))) return
      scope[token.startsWith('!') ? 'exclude' : current].add(glob)
    })
  return scope
}

/** Puts two scopes together, as `SCOPE_INCLUDE` and `SCOPE_EXCLUDE` do. */
export const joinScopes = (left: Scope, right: Scope): Scope => ({
  include: new Set([...left.include, ...right.include]),
  exclude: new Set([...left.exclude, ...right.exclude]),
})

/** Splits at blanks, and at commas and semicolons that are not inside `{a,b}`. */
function eachToken(text: string, visit: (token: string) => void): void {
  let start = 0
  let braces = 0
  for (let index = 0; index <= text.length; index++) {
    const unit = text[index]
    const blank = unit === undefined || isBlank(text.charCodeAt(index))
    if (unit === '{') braces += 1
    else if (unit === '}') braces = Math.max(0, braces - 1)
    if (!blank && !((unit === ',' || unit === ';') && braces === 0)) continue
    if (index > start) visit(text.slice(start, index))
    start = index + 1
    if (blank) braces = 0
  }
}

function sideOf(token: string): 'include' | 'exclude' | null {
  if (token.length > 20) return null
  let word = ''
  for (const character of asciiLower(token))
    if (character >= 'a' && character <= 'z') word += character
  if (word === 'include' || word === 'includes' || word === 'included') return 'include'
  return word === 'exclude' || word === 'excludes' || word === 'excluded' || word === 'excluding'
    ? 'exclude'
    : null
}

/** A token without the quotes, backticks, unmatched brackets and closing full stop around it. */
function bare(token: string): string {
  const openers = token.includes(']') ? '`"\'(' : '`"\'(['
  const closers = token.includes('[') ? '`"\':)' : '`"\':)]'
  let start = 0
  let end = token.length
  while (start < end && openers.includes(token[start] ?? '')) start += 1
  while (end > start && closers.includes(token[end - 1] ?? '')) end -= 1
  const inner = token.slice(start, end)
  return inner.length > 1 && inner.endsWith('.') && !inner.endsWith('..')
    ? inner.slice(0, -1)
    : inner
}

function looksLikeGlob(token: string): boolean {
  let word = false
  let path = false
  for (const character of token) {
    if (character === '/' || character === '*' || character === '.') path = true
    if (character === '*' || (character >= '0' && character <= 'z') || character > '~') word = true
  }
  return path && word
}
