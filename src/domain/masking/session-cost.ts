import { addCost, NO_COST } from '../meter/cost.ts'
import type { CostTotals } from '../meter/cost.ts'
import type { Prices } from '../mission/prices.ts'
import type { RecordWrite } from '../mission/record.ts'
import type { MaskingRecords } from './records.ts'

/** What one call of the session sends, in counted tokens. */
export interface SessionCall {
  /** Names the transcript state (`fingerprintOf`): a retried call is no second call. */
  readonly fingerprint: string
  readonly turn: number
  /** Had nothing been masked; as it is sent; had everything eligible been masked at once. */
  readonly raw: number
  readonly masked: number
  readonly bound: number
  /** How many tokens stand before the first change of this mask; null where it changed nothing. */
  readonly unchanged: number | null
}

export interface SessionState {
  readonly totals: CostTotals
  /** The prompts of the last call: what a provider has in its cache. */
  readonly last: { readonly raw: number; readonly masked: number }
}

export const NO_SESSION: SessionState = {
  totals: NO_COST,
  last: { raw: 0, masked: 0 },
}

/** The same for a retried call, in whichever form it is sent: its raw size does not change. */
export const fingerprintOf = (turns: number, results: number, raw: number): string =>
  `${turns} ${results} ${raw}`

/** Adds a call to what the session cost; what was there at the last call is read from the cache. */
export function addSession(
  before: SessionState,
  call: SessionCall,
  prices: Prices,
  at: string,
): {
  readonly state: SessionState
  readonly records: readonly RecordWrite<MaskingRecords, 'cost'>[]
} {
  const { last } = before
  const grown = (now: number, then: number) => ({ tokens: now, written: Math.max(0, now - then) })
  const rewritten =
    call.unchanged === null
      ? grown(call.masked, last.masked)
      : { tokens: call.masked, written: Math.max(0, call.masked - call.unchanged) }
  const raw = grown(call.raw, last.raw)
  const { totals, point } = addCost(
    before.totals,
    {
      fingerprint: call.fingerprint,
      turn: call.turn,
      raw,
      masked: rewritten,
      // What is new is written under any policy; what the bound masks costs it no cache.
      bound: { tokens: call.bound, written: raw.written },
    },
    prices,
  )
  if (point === null) return { state: before, records: [] }
  return {
    state: { totals, last: { raw: call.raw, masked: call.masked } },
    records: [{ kind: 'cost', key: String(totals.calls), at, body: point }],
  }
}
