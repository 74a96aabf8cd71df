import type { Prices } from '../../domain/mission/prices.ts'

/** A stretch of a transcript that is sent as a whole; a tool result may be masked. */
export interface Segment {
  readonly tokens: number
  readonly result?: { readonly bytes: number; readonly placeholder_tokens: number }
}

/** A session as its calls saw it: each was sent the first `n` segments. */
export interface Session {
  readonly segments: readonly Segment[]
  readonly calls: readonly number[]
}

/** What a policy sees before a call. */
export interface Standing {
  readonly segments: readonly Segment[]
  /** How many segments this call sends. */
  readonly sent: number
  /** How many of them the last call sent too: they are cached, up to the first changed one. */
  readonly cached: number
  /** The tokens of every segment by now: a masked one is its placeholder. */
  readonly now: readonly number[]
  readonly masked: ReadonlySet<number>
  /** The tool results that are sent, oldest first, masked ones among them. */
  readonly results: readonly number[]
}

/** A masking policy: which results to mask before a call. Made anew for each session. */
export interface Policy {
  readonly name: string
  /** The policy's own placeholder, where it has not ours. */
  readonly placeholder_tokens?: number
  choose(standing: Standing): readonly number[]
}

/** One call: the tokens of its prompt, those of them not read from the cache, and what both cost. */
export interface CallCost {
  readonly tokens: number
  readonly written: number
  readonly cost: number
}

export interface SessionCost {
  readonly calls: number
  readonly tokens_sent: number
  /** Every prompt at the price of uncached input. */
  readonly uncached: number
  /** With prompt caching: the unchanged prefix of the last prompt is read, the rest written. */
  readonly cached: number
  readonly masked: number
  /** How often a mask made cached tokens stale. */
  readonly rewrites: number
  readonly series: readonly CallCost[]
}

/**
 * What a session costs under a policy, relative to an uncached input token. `free` is the bound that
 * no policy can beat: masking without losing the cache.
 */
export function sessionCost(
  session: Session,
  policy: Policy,
  prices: Prices,
  { free = false }: { readonly free?: boolean } = {},
): SessionCost {
  const { segments } = session
  const now = segments.map((segment) => segment.tokens)
  const masked = new Set<number>()
  const results: number[] = []
  const series: CallCost[] = []
  let rewrites = 0
  let before = 0
  let seen = 0
  for (const sent of session.calls) {
    for (; seen < sent; seen++) if (segments[seen]?.result !== undefined) results.push(seen)
    let unchanged = before
    for (const index of policy.choose({ segments, sent, cached: before, now, masked, results })) {
      masked.add(index)
      now[index] = policy.placeholder_tokens ?? segments[index]?.result?.placeholder_tokens ?? 0
      if (!free) unchanged = Math.min(unchanged, index)
    }
    const read = sum(now, 0, unchanged)
    const written = sum(now, unchanged, sent)
    if (unchanged < before) rewrites += 1
    series.push({
      tokens: read + written,
      written,
      cost: prices.cache_read * read + prices.cache_write * written,
    })
    before = sent
  }
  const tokens_sent = series.reduce((total, call) => total + call.tokens, 0)
  return {
    calls: series.length,
    tokens_sent,
    uncached: prices.input * tokens_sent,
    cached: series.reduce((total, call) => total + call.cost, 0),
    masked: masked.size,
    rewrites,
    series,
  }
}

export function sum(tokens: readonly number[], from: number, to: number): number {
  let total = 0
  for (let index = from; index < to; index++) total += tokens[index] ?? 0
  return total
}
