import { withCall, promptsOf, repeats, sumsBefore } from '../context/calls.ts'
import type { CallsState, CallSize } from '../context/calls.ts'
import { addCost } from '../meter/cost.ts'
import type { CostTotals } from '../meter/cost.ts'
import type { Prices } from '../mission/prices.ts'
import type { RecordWrite } from '../mission/record.ts'
import type { MaskingRecords } from './records.ts'

/** What one call of the session sends, in counted tokens. */
export interface SessionCall extends CallSize {
  /** Names the transcript state (`fingerprintOf`). */
  readonly fingerprint: string
  readonly turn: number
  /** Its tokens, had everything eligible been masked at once without losing any cache. */
  readonly bound: number
}

/** Adds a call to its conversation, and to what the mission cost; a retried one adds nothing to that. */
export function addSession(
  before: { readonly calls: CallsState; readonly totals: CostTotals },
  call: SessionCall,
  regret: number,
  prices: Prices,
  at: string,
): {
  readonly calls: CallsState
  readonly totals: CostTotals
  readonly records: readonly RecordWrite<MaskingRecords, 'cost'>[]
} {
  const { fingerprint } = call
  const calls = withCall(before.calls, fingerprint, call, regret, prices)
  if (repeats(before.calls, fingerprint) !== 'no')
    return { calls, totals: before.totals, records: [] }
  const { masked, raw } = promptsOf(sumsBefore(before.calls, fingerprint), call)
  // What is new is written under any policy; what the bound masks costs it no cache.
  const bound = { tokens: call.bound, written: Math.min(raw.written, call.bound) }
  const { totals, point } = addCost(before.totals, { turn: call.turn, raw, masked, bound }, prices)
  return { calls, totals, records: [{ kind: 'cost', key: String(totals.calls), at, body: point }] }
}
