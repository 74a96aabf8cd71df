import type { Prices } from '../../mission/prices.ts'

export interface BreakEvenInput {
  /** Regret before this transcript state. */
  readonly regret: number
  /** Tokens that masking everything eligible would save now. */
  readonly maskable_tokens: number
  /** Cached tokens that the provider would write anew: from the first masked result on, masked. */
  readonly suffix_tokens: number
  readonly prices: Prices
  readonly alpha: number
  /** The share of its raw cost by which a conversation may get dearer at any moment. */
  readonly max_loss: number
  /** What the conversation will have cost after this call, raw and with the mask. */
  readonly spent: { readonly raw_after: number; readonly masked_after: number }
}

/** Whether masking pays now. Regret and price are in tokens times relative price. */
export interface BreakEven {
  readonly maskable_tokens: number
  readonly suffix_tokens: number
  /** What the maskable results have cost by staying, this state included. */
  readonly regret: number
  readonly price: number
  readonly due: boolean
}

/**
 * The ski-rental rule with a budget (DESIGN section 4): each turn the maskable results cost a cache
 * read by staying; mask once that sum reaches `alpha` times what rewriting the suffix costs, and once
 * the conversation with the mask stays within `(1 + max_loss)` times what it cost raw. A later call
 * never costs more masked than raw, so a conversation that was under this rule from its start is
 * within that budget at every moment. Without it a late mask is never paid back on a short session.
 */
export function breakEven(input: BreakEvenInput): BreakEven {
  const { maskable_tokens, suffix_tokens, prices } = input
  const regret = input.regret + prices.cache_read * maskable_tokens
  const price = Math.max(0, prices.cache_write - prices.cache_read) * suffix_tokens
  const { masked_after, raw_after } = input.spent
  const affordable = masked_after <= (1 + input.max_loss) * raw_after
  const due = maskable_tokens > 0 && regret >= input.alpha * price && affordable
  return { maskable_tokens, suffix_tokens, regret, price, due }
}
