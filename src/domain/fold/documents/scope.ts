import { asciiLower, isBlank } from '../markdown/characters.ts'
import { skip, skipBack, unitSet } from '../markdown/unit-sets.ts'
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

const AROUND_SIDE = unitSet('*_`"\'()[]{}:#>|=-—–')

/** A word alone: `include/**` is a glob. */
function sideOf(token: string): 'include' | 'exclude' | null {
  if (token.length > 20) return null
  const start = skip(token, 0, AROUND_SIDE)
  const end = skipBack(token, start, token.length, AROUND_SIDE)
  // `include*` is a glob, `*Include*` is emphasised.
  if (token.includes('*', end) && !token.slice(0, start).includes('*')) return null
  const word = asciiLower(token.slice(start, end))
  if (word === 'include' || word === 'includes' || word === 'included') return 'include'
  return word === 'exclude' || word === 'excludes' || word === 'excluded' || word === 'excluding'
    ? 'exclude'
    : null
}

const OPENERS = unitSet('`"\'(')
const ALL_OPENERS = unitSet('`"\'([')
const CLOSERS = unitSet('`"\':)')
const ALL_CLOSERS = unitSet('`"\':)]')

/** A token without the quotes, backticks, unmatched brackets and closing full stop around it. */
function bare(token: string): string {
  const surplus = surplusOf(token)
  const openers = surplus > 0 ? ALL_OPENERS : OPENERS
  const closers = surplus < 0 ? ALL_CLOSERS : CLOSERS
  const stop = token.endsWith('.') && !token.endsWith('..') ? token.length - 1 : token.length
  const start = skip(token, 0, openers)
  const end = skipBack(token, start, stop, closers)
  return end > start ? token.slice(start, end) : token
}

/** How many more brackets open than close; `[ab]` belongs to a glob, `[a, b]` around a list does not. */
function surplusOf(token: string): number {
  let surplus = 0
  for (let index = 0; index < token.length; index++) {
    if (token[index] === '[') surplus += 1
    else if (token[index] === ']') surplus -= 1
  }
  return surplus
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
