import type { Prices } from '../mission/settings.ts'

/**
 * What staying unmasked has cost since the last mask, in prices of tokens. JSON, kept in the
 * mission's state; `fingerprint` is the transcript state that moved it last, `due` its answer.
 */
export interface Regret {
  readonly regret: number
  readonly fingerprint: string
  readonly due: boolean
}

/** What is at stake in one transcript state, in tokens. */
export interface Stake {
  /** Names the transcript state: the same for a retried call, another once a turn was added. */
  readonly fingerprint: string
  /** What masking everything eligible now would take out: the results less their placeholders. */
  readonly maskable_tokens: number
  /**
   * What would be cached anew: of the last call's prompt (all before the last assistant turn), what
   * stands from the first masked result on once it is masked. What is new is written in any case.
   */
  readonly suffix_tokens: number
}

export interface BreakEvenTerms {
  readonly alpha: number
  readonly prices: Prices
}

/** Found on real sessions; between 0.15 and 0.3 the cost hardly changes. */
export const DEFAULT_ALPHA = 0.2

/**
 * The ski-rental rule: each turn that the maskable tokens stay costs their cache reads (the rent);
 * masking costs the suffix written instead of read (the skis). Mask once the rents of the turns since
 * the last mask reach `alpha` times that price. Every transcript state counts once: a retried call
 * gets the answer it got, and moves nothing.
 */
export function weigh(before: Regret | null, stake: Stake, terms: BreakEvenTerms): Regret {
  if (before !== null && before.fingerprint === stake.fingerprint) return before
  const { prices, alpha } = terms
  const carried = before === null || before.due ? 0 : before.regret
  const regret = carried + prices.cache_read * stake.maskable_tokens
  const rewrite = Math.max(0, prices.cache_write - prices.cache_read) * stake.suffix_tokens
  return {
    regret,
    fingerprint: stake.fingerprint,
    due: stake.maskable_tokens > 0 && regret >= alpha * rewrite,
  }
}
