import type { Prices } from '../../domain/mission/prices.ts'
import { breakEven as weigh } from '../../domain/masking/plan/break-even.ts'
import { type Policy, type Standing, sum } from './cost-model.ts'

/** Masks nothing: what the session really sent. */
export const raw = (): Policy => ({ name: 'raw', choose: () => [] })

/** Ours, trigger `always`: every eligible result before every call. */
export const always = (keep: number): Policy => ({
  name: 'always',
  choose: (standing) => eligible(standing, keep),
})

export interface PercentTerms {
  readonly keep: number
  readonly window_tokens: number
  readonly trigger_percent: number
  readonly target_percent: number
  readonly min_bytes: number
  /** Provider tokens per counted token, as the meter is calibrated. */
  readonly ratio: number
}

/** Ours, trigger `percent`: the seed's rule, oldest first until the context is below the target. */
export const percent = (terms: PercentTerms): Policy => ({
  name: 'percent',
  choose(standing) {
    const percentOf = (tokens: number): number => (100 * terms.ratio * tokens) / terms.window_tokens
    let tokens = sum(standing.now, 0, standing.sent)
    if (percentOf(tokens) < terms.trigger_percent) return []
    const chosen: number[] = []
    for (const index of eligible(standing, terms.keep)) {
      if (percentOf(tokens) < terms.target_percent) break
      if ((standing.segments[index]?.result?.bytes ?? 0) < terms.min_bytes) continue
      chosen.push(index)
      tokens -= saved(standing, index)
    }
    return chosen
  },
})

/** Ours, trigger `break_even`: the domain's own rule, one transcript state a call. */
export function breakEven(keep: number, prices: Prices, alpha = 0.2): Policy {
  let regret = 0
  return {
    name: 'break_even',
    choose(standing) {
      const candidates = eligible(standing, keep)
      const { now, cached } = standing
      const maskable_tokens = candidates.reduce((all, index) => all + saved(standing, index), 0)
      const weighed = weigh({
        regret,
        maskable_tokens,
        suffix_tokens: sum(now, candidates[0] ?? cached, cached) - maskable_tokens,
        prices,
        alpha,
        max_loss: 10,
        spent: { raw_after: 1, masked_after: 0 },
      })
      regret = weighed.due ? 0 : weighed.regret
      return weighed.due ? candidates : []
    },
  }
}

/**
 * Anthropic's clear_tool_uses_20250919 as it is by default (docs.claude.com, "Context editing"): once
 * the prompt has 100,000 input tokens, all tool results but the last 3 are cleared. The client keeps
 * and sends the whole history, so the trigger sees it uncleared and every later call clears more.
 */
export const anthropic = (keep = 3, trigger_tokens = 100_000): Policy => ({
  name: 'anthropic',
  placeholder_tokens: 5,
  choose({ segments, sent, results, masked }) {
    let uncleared = 0
    for (let index = 0; index < sent; index++) uncleared += segments[index]?.tokens ?? 0
    if (uncleared < trigger_tokens) return []
    return old(results, keep).filter((index) => !masked.has(index))
  },
})

/**
 * SWE-agent's last_n_observations and The Complexity Trap's window: before every call each
 * observation but the last 10 is `Old environment output: (12 lines omitted)`.
 */
export const lastTen = (keep = 10): Policy => ({
  name: 'last-10',
  placeholder_tokens: 10,
  choose: ({ results, masked }) => old(results, keep).filter((index) => !masked.has(index)),
})

/** Old results that the model has seen and whose placeholder is shorter, oldest first. */
const eligible = (standing: Standing, keep: number): readonly number[] =>
  old(standing.results, keep).filter(
    (index) => index < standing.cached && !standing.masked.has(index) && saved(standing, index) > 0,
  )

const old = (results: readonly number[], keep: number): readonly number[] =>
  results.slice(0, Math.max(0, results.length - keep))

const saved = ({ now, segments }: Standing, index: number): number =>
  (now[index] ?? 0) - (segments[index]?.result?.placeholder_tokens ?? 0)
