import { priceOf } from '../../domain/meter/cost.ts'
import type { Prices } from '../../domain/mission/prices.ts'

/** The prompt of one call, in tokens. `cached`: the prefix that the call before had sent too. */
export interface Prompt {
  readonly tokens: number
  readonly cached: number
}

/** Keeps account of a transcript that grows and changes, so that each text is counted once. */
export interface Ledger {
  /** Adds messages of so many tokens at the end. */
  append(tokens: readonly number[]): void
  /** A message has other tokens now; `unchanged` of them stand before the place that changed. */
  change(message: number, tokens: number, unchanged: number): void
  /** The prompt of a call that sends what is there now. */
  send(): Prompt
}

/** `frame`: tokens of instructions and tools, which stand before the messages in every call. */
export function createLedger(frame: number): Ledger {
  const messages: number[] = []
  let total = frame
  let cached = 0
  return {
    append(tokens) {
      for (const count of tokens) {
        messages.push(count)
        total += count
      }
    },
    change(message, tokens, unchanged) {
      let before = frame
      for (let index = 0; index < message; index++) before += messages[index] ?? 0
      cached = Math.min(cached, before + unchanged)
      total += tokens - (messages[message] ?? 0)
      messages[message] = tokens
    },
    send() {
      const prompt = { tokens: total, cached }
      cached = total
      return prompt
    },
  }
}

/** What prompts cost, in prices of an uncached input token, without and with prompt caching. */
export interface Spent {
  readonly tokens: number
  readonly uncached: number
  readonly cached: number
}

export const NOTHING_SPENT: Spent = { tokens: 0, uncached: 0, cached: 0 }

export const spend = (spent: Spent, { tokens, cached }: Prompt, prices: Prices): Spent => ({
  tokens: spent.tokens + tokens,
  uncached: spent.uncached + prices.input * tokens,
  cached: spent.cached + priceOf({ tokens, written: tokens - cached }, prices),
})

export const addSpent = (one: Spent, other: Spent): Spent => ({
  tokens: one.tokens + other.tokens,
  uncached: one.uncached + other.uncached,
  cached: one.cached + other.cached,
})
