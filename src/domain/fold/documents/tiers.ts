import { asciiLower, isLetter, isWordAt } from '../markdown/characters.ts'
import { isTier, type Tier } from './contract.ts'

/** A finding's confidence in a text, and the offset behind it. */
interface TierWord {
  readonly tier: Tier
  readonly end: number
}

/** The tier that starts exactly at `start`, as H or spelled out as High, or null; H/M/L is a template. */
export function tierAt(text: string, start: number): TierWord | null {
  let end = start
  while (end - start <= LONGEST_WORD && isLetter(text.charCodeAt(end))) end += 1
  if (isWordAt(text, end) || text[end] === '/') return null
  const word = text.slice(start, end)
  const tier = isTier(word) ? word : SPELLED.get(asciiLower(word))
  // `Medium-high` is neither.
  return tier === undefined || (end - start > 1 && text[end] === '-') ? null : { tier, end }
}

const SPELLED: ReadonlyMap<string, Tier> = new Map([
  ['high', 'H'],
  ['medium', 'M'],
  ['med', 'M'],
  ['low', 'L'],
])
const LONGEST_WORD = 6
