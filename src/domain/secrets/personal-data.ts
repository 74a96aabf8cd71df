import type { Finding } from './finding.ts'
import { secret } from './finding.ts'

/**
 * Personal data that must not be stored: IBANs and card numbers by their checksums, US social
 * security numbers by their form; e-mail addresses are only warned of (DESIGN section 3).
 */
export const findPersonalData = (text: string): readonly Finding[] => [
  ...ibans(text),
  ...cards(text),
  ...socialSecurityNumbers(text),
  ...emails(text),
]

const IBAN =
  /(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?![A-Za-z0-9])/g

/** ISO 13616: the countries whose IBANs are met most, each with its length. */
const IBAN_LENGTHS = new Map(
  [
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 CH21 CR22 CY28 CZ24 DE22 DK18',
    'DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22',
    'IL23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31',
    'NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26',
    'UA29 XK20',
  ]
    .flatMap((line) => line.split(' '))
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

function* ibans(text: string): Generator<Finding> {
  for (const { 0: match, index } of text.matchAll(IBAN)) {
    const compact = match.replaceAll(' ', '')
    if (compact.length === IBAN_LENGTHS.get(compact.slice(0, 2)) && remainder97(compact) === 1)
      yield secret('iban', index, index + match.length)
  }
}

/** ISO 7064 MOD 97-10, over the rearranged account with letters as numbers. */
function remainder97(iban: string): number {
  let remainder = 0
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(parseInt(character, 36)))
      remainder = (remainder * 10 + Number(digit)) % 97
  return remainder
}

const GROUPED_CARD =
  /(?<![0-9A-Za-z.-])(?:[0-9]{4}([ -])[0-9]{4}\1[0-9]{4}\1[0-9]{4}|3[47][0-9]{2}([ -])[0-9]{6}\2[0-9]{5})(?![0-9A-Za-z]|[.-][0-9])/g
const PLAIN_CARD = /(?<![0-9A-Za-z._-])[0-9]{13,19}(?![0-9A-Za-z_-]|\.[0-9])/g
const CARD_WORD = /\b(?:card|visa|mastercard|amex|credit|debit|pan|cc)\b/i
/** Visa, Mastercard, American Express, Discover, JCB, Diners (ISO/IEC 7812). */
const ISSUER = /^(?:4|5[1-5]|2(?:2[2-9]|[3-6]|7[01]|720)|3[47]|6(?:011|5)|35|3(?:0|6|8))/
/** How far before a plain number the word that makes it a card may stand. */
const NEARBY = 32

function* cards(text: string): Generator<Finding> {
  for (const { 0: match, index } of text.matchAll(GROUPED_CARD))
    if (isCard(match.replaceAll(/[ -]/g, '')))
      yield secret('card-number', index, index + match.length)
  for (const { 0: match, index } of text.matchAll(PLAIN_CARD))
    if (CARD_WORD.test(text.slice(Math.max(0, index - NEARBY), index)) && isCard(match))
      yield secret('card-number', index, index + match.length)
}

const isCard = (digits: string): boolean => ISSUER.test(digits) && luhn(digits)

/** ISO/IEC 7812-1 annex B. */
function luhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Areas 000, 666 and 900-999, group 00 and serial 0000 were never given out (SSA). */
const SSN =
  /(?<![0-9A-Za-z-])(?!000|666|9)[0-9]{3}-(?!00)[0-9]{2}-(?!0000)[0-9]{4}(?![0-9A-Za-z-])/g

function* socialSecurityNumbers(text: string): Generator<Finding> {
  for (const { 0: match, index } of text.matchAll(SSN))
    yield secret('us-ssn', index, index + match.length)
}

const EMAIL_BEFORE = /[A-Za-z0-9._%+-]{1,64}$/
const EMAIL_AFTER = /^[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/

/** From each `@` outwards, so that a long run without one costs nothing. */
function* emails(text: string): Generator<Finding> {
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const before = EMAIL_BEFORE.exec(text.slice(Math.max(0, at - 64), at))
    const after = before && EMAIL_AFTER.exec(text.slice(at + 1, at + 256))
    if (before === null || after === null) continue
    const start = at - before[0].length
    yield { rule: 'email', start, end: at + 1 + after[0].length, severity: 'warning' }
  }
}
