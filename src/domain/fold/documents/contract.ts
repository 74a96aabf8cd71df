/**
 * The contract of a fold (seeds/atlas-abstract.txt, "Fold contract"): what must be there, in which
 * order, and how long it may be.
 */

/** The version of everything that decides a verdict; it changes whenever a verdict could. */
export const RULES_VERSION = 2

/** The whole fold, in o200k_base tokens. */
export const FOLD_LIMIT_TOKENS = 2000

/** Section 2, in o200k_base tokens. */
export const ANSWER_LIMIT_TOKENS = 200

export type SectionNumber = 1 | 2 | 3 | 4 | 5

export const SECTION_TITLES: Readonly<Record<SectionNumber, string>> = {
  1: 'Mission header',
  2: 'Decision-ready answer',
  3: 'Findings index',
  4: 'Open questions / gaps',
  5: 'Escalation log',
}

export const SECTION_NUMBERS: readonly SectionNumber[] = [1, 2, 3, 4, 5]

export const HEADER_FIELDS = ['MISSION-ID', 'DECISION_TARGET', 'SCOPE', 'STATUS'] as const
export type HeaderField = (typeof HEADER_FIELDS)[number]

export const FOLD_STATUSES = ['completed', 'partial', 'blocked'] as const

/** Confidence: seen directly, one short step of inference, plausible. */
const TIERS = ['H', 'M', 'L'] as const
export type Tier = (typeof TIERS)[number]

export const isTier = (text: string): text is Tier => text === 'H' || text === 'M' || text === 'L'
