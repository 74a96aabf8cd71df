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

/** ISO 13616: the lengths of the countries whose IBANs are met most. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22, BR: 29, CH: 21 },
  ...{ CR: 22, CY: 28, CZ: 24, DE: 22, DK: 18, DO: 28, EE: 20, EG: 29, ES: 24, FI: 18, FO: 18 },
  ...{ FR: 27, GB: 22, GE: 22, GI: 23, GL: 18, GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23 },
  ...{ IS: 26, IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LI: 21, LT: 20, LU: 20, LV: 21, MC: 27 },
  ...{ MD: 24, ME: 22, MK: 19, MT: 31, NL: 18, NO: 15, PK: 24, PL: 28, PS: 29, PT: 25, QA: 29 },
  ...{ RO: 24, RS: 22, SA: 24, SE: 24, SI: 19, SK: 24, SM: 27, TN: 24, TR: 26, UA: 29, XK: 20 },
}

function* ibans(text: string): Generator<Finding> {
  for (const { 0: match, index } of text.matchAll(IBAN)) {
    const compact = match.replaceAll(' ', '')
    if (compact.length === IBAN_LENGTHS[compact.slice(0, 2)] && remainder97(compact) === 1)
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
