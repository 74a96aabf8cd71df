import type { Finding } from './finding.ts'
import { secret } from './finding.ts'

/**
 * Credentials that secretlint's rules leave out: Google keys, JWTs, bearer headers, passwords in
 * quotes or in an `.env` file. Each is found from a literal that begins it, and judged on a bounded slice, so that the scan
 * is linear in the text.
 */
export function findCredentials(text: string): readonly Finding[] {
  return [
    ...each(text, 'AIza', googleKey),
    ...each(text, 'ya29.', googleToken),
    ...each(text, 'eyJ', jsonWebToken),
    ...each(text, 'earer ', bearer),
    ...passwords(text),
    ...assignedPasswords(text),
  ]
}

/** Judges one place; answers the finding and where to go on, past all that was looked at. */
type Judge = (text: string, at: number) => { readonly found: Finding | null; readonly next: number }

function* each(text: string, opening: string, judge: Judge): Generator<Finding> {
  for (let at = text.indexOf(opening); at !== -1;) {
    const { found, next } = judge(text, at)
    if (found !== null) yield found
    at = text.indexOf(opening, next)
  }
}

const GOOGLE_KEY_LENGTH = 39
const GOOGLE_TOKEN_LENGTH = 20
const MIN_BEARER_LENGTH = 20

const googleKey: Judge = (text, at) => {
  const end = runEnd(text, at, isTokenUnit)
  const exact = end - at === GOOGLE_KEY_LENGTH && !isTokenUnit(text.charCodeAt(at - 1))
  return { found: exact ? secret('google-api-key', at, end) : null, next: end }
}

const googleToken: Judge = (text, at) => {
  const end = runEnd(text, at + 'ya29.'.length, isTokenUnit)
  const long = end - at > GOOGLE_TOKEN_LENGTH
  return { found: long ? secret('google-oauth-token', at, end) : null, next: Math.max(end, at + 5) }
}

/** Three parts of base64url, the first two of which are JSON objects: `{"` is `eyJ` in base64. */
const jsonWebToken: Judge = (text, at) => {
  const first = runEnd(text, at, isTokenUnit)
  const second = text[first] === '.' ? runEnd(text, first + 1, isTokenUnit) : first
  const third = text[second] === '.' ? runEnd(text, second + 1, isTokenUnit) : second
  const whole =
    text.startsWith('eyJ', first + 1) && second - first > 8 && third - second > 16 && first - at > 8
  return {
    found: whole ? secret('json-web-token', at, third) : null,
    next: Math.max(first, at + 3),
  }
}

const bearer: Judge = (text, at) => {
  const start = at + 'earer '.length
  const end = runEnd(text, start, isBearerUnit)
  const value = text.slice(start, Math.min(end, start + 256))
  const named = /[Bb]/.test(text[at - 1] ?? '')
  const real = named && end - start >= MIN_BEARER_LENGTH && isMixed(value) && !isTemplate(value)
  return { found: real ? secret('bearer-token', start, end) : null, next: Math.max(end, start) }
}

const PASSWORD =
  /(?<![A-Za-z0-9])(?:password|passwd|pwd|passphrase)["']?[ \t]{0,8}(?:=|:|=>)[ \t]{0,8}["']/gi
const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 128

function* passwords(text: string): Generator<Finding> {
  for (const match of text.matchAll(PASSWORD)) {
    const start = match.index + match[0].length
    const quote = text[start - 1] ?? ''
    const end = text.slice(start, start + MAX_PASSWORD_LENGTH + 1).search(/["'\s]/)
    if (end < MIN_PASSWORD_LENGTH || text[start + end] !== quote) continue
    const value = text.slice(start, start + end)
    if (isMixed(value) && !isTemplate(value)) yield secret('password', start, start + end)
  }
}

// A line of an `.env` file, where nothing quotes the value.
const ASSIGNED =
  /^[ \t]{0,8}(?:export[ \t]{1,8})?[A-Za-z0-9_]{0,64}(?:password|passwd|pwd|passphrase)=([^\s"'`#;&(),.[\]/\\]{8,128})[ \t\r]*$/gim

function* assignedPasswords(text: string): Generator<Finding> {
  for (const { 0: line, 1: value = '', index } of text.matchAll(ASSIGNED)) {
    const start = index + line.indexOf('=') + 1
    if (isMixed(value) && !isTemplate(value)) yield secret('password', start, start + value.length)
  }
}

/** A literal with letters and digits: what people type and generators make, unlike words and names. */
const isMixed = (value: string): boolean => /[A-Za-z]/.test(value) && /[0-9]/.test(value)

/** What documentation writes where a secret would stand. */
const isTemplate = (value: string): boolean =>
  /[<>${}%*]|\.\.\.|x{4}|example|changeme|placeholder|redacted|your|dummy/i.test(value)

function runEnd(text: string, start: number, holds: (unit: number) => boolean): number {
  let end = start
  while (end < text.length && holds(text.charCodeAt(end))) end += 1
  return end
}

const isAlphanumeric = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)

/** A-Z a-z 0-9 _ - */
const isTokenUnit = (unit: number): boolean => isAlphanumeric(unit) || unit === 95 || unit === 45

/** RFC 6750 section 2.1: b64token, with < > $ { } so that a template is seen as one. */
const isBearerUnit = (unit: number): boolean =>
  isTokenUnit(unit) || '.~+/=<>${}'.includes(String.fromCharCode(unit))
