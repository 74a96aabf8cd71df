import type { Prices } from '../mission/prices.ts'
import { addCall, type Growth, growthOf, type Line, NO_CALLS } from './growth.ts'

/** A prompt in tokens, and how many of them are not in the cache: new, or after a changed place. */
export interface Prompt {
  readonly tokens: number
  readonly written: number
}

/** One call of a session: its prompt as it is, and as it would be under two other policies. */
export interface Call {
  readonly turn: number
  /** Had nothing ever been masked. */
  readonly raw: Prompt
  /** As it is sent: with everything that is masked by now. */
  readonly masked: Prompt
  /** Had everything eligible been masked as soon as it was, and no cache been lost by it. */
  readonly bound: Prompt
}

/** What the calls so far cost, relative to an uncached input token. JSON, O(1) in the session. */
export interface CostTotals {
  readonly calls: number
  readonly raw: number
  readonly masked: number
  /** The least that any policy can reach. */
  readonly bound: number
  readonly raw_line: Line
  readonly masked_line: Line
}

/** The cost of one call, appended to the mission's records. */
export interface CostPoint {
  readonly turn: number
  readonly raw: number
  readonly masked: number
}

interface Cost {
  readonly calls: number
  readonly raw: number
  readonly masked: number
  readonly bound: number
  readonly growth: { readonly raw: Growth; readonly masked: Growth }
  readonly series: readonly CostPoint[]
}

export const NO_COST: CostTotals = {
  calls: 0,
  raw: 0,
  masked: 0,
  bound: 0,
  raw_line: NO_CALLS,
  masked_line: NO_CALLS,
}

/** Adds a call to the totals: what is in the cache is read, the rest is written to it. */
export function addCost(
  before: CostTotals,
  call: Call,
  prices: Prices,
): { readonly totals: CostTotals; readonly point: CostPoint } {
  const point = {
    turn: call.turn,
    raw: priceOf(call.raw, prices),
    masked: priceOf(call.masked, prices),
  }
  const totals = {
    calls: before.calls + 1,
    raw: before.raw + point.raw,
    masked: before.masked + point.masked,
    bound: before.bound + priceOf(call.bound, prices),
    raw_line: addCall(before.raw_line, call.raw.tokens),
    masked_line: addCall(before.masked_line, call.masked.tokens),
  }
  return { totals, point }
}

/** The answer of `GET …/cost`: totals and points rounded to whole tokens. */
export function costOf(totals: CostTotals, points: readonly CostPoint[]): Cost {
  return {
    calls: totals.calls,
    raw: Math.round(totals.raw),
    masked: Math.round(totals.masked),
    bound: Math.round(totals.bound),
    growth: { raw: growthOf(totals.raw_line), masked: growthOf(totals.masked_line) },
    series: points.map(({ turn, raw, masked }) => ({
      turn,
      raw: Math.round(raw),
      masked: Math.round(masked),
    })),
  }
}

/** In prices of an uncached input token. */
export const priceOf = ({ tokens, written }: Prompt, prices: Prices): number =>
  prices.cache_read * (tokens - written) + prices.cache_write * written
