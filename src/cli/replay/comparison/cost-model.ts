import { priceOf } from '../../../domain/meter/cost.ts'
import type { Prompt } from '../../../domain/meter/cost.ts'
import type { Prices } from '../../../domain/mission/prices.ts'

/** A stretch of a transcript that is sent as a whole; `result` is the pointer of a tool result. */
export interface Segment {
  readonly tokens: number
  readonly result?: string
}

/** A session as its calls saw it: each was sent the first `n` segments. */
export interface CountedSession {
  readonly segments: readonly Segment[]
  readonly calls: readonly number[]
}

/** A segment that costs so many tokens from now on. */
export interface SegmentMask {
  readonly segment: number
  readonly tokens: number
}

/** What is masked before each call: all that a policy did in a session. */
export type Schedule = readonly (readonly SegmentMask[])[]

export interface CallCost extends Prompt {
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
 * What a session costs with these masks, relative to an uncached input token. `free` is the bound
 * that no policy can beat: masking without losing the cache.
 */
export function sessionCost(
  { calls, segments }: CountedSession,
  schedule: Schedule,
  prices: Prices,
  { free = false }: { readonly free?: boolean } = {},
): SessionCost {
  const now = segments.map(({ tokens }) => tokens)
  const series: CallCost[] = []
  let masked = 0
  let rewrites = 0
  let before = 0
  for (const [call, sent] of calls.entries()) {
    let unchanged = before
    for (const { segment, tokens } of schedule[call] ?? []) {
      masked += 1
      now[segment] = tokens
      if (!free) unchanged = Math.min(unchanged, segment)
    }
    const read = sum(now, 0, unchanged)
    const written = sum(now, unchanged, sent)
    if (unchanged < before) rewrites += 1
    const prompt = { tokens: read + written, written }
    series.push({ ...prompt, cost: priceOf(prompt, prices) })
    before = sent
  }
  const tokens_sent = series.reduce((total, { tokens }) => total + tokens, 0)
  return {
    calls: series.length,
    tokens_sent,
    uncached: prices.input * tokens_sent,
    cached: series.reduce((total, { cost }) => total + cost, 0),
    masked,
    rewrites,
    series,
  }
}

export function sum(tokens: readonly number[], from: number, to: number): number {
  let total = 0
  for (let index = from; index < to; index++) total += tokens[index] ?? 0
  return total
}
