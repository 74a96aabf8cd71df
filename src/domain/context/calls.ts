import { priceOf } from '../meter/cost.ts'
import type { Prompt } from '../meter/cost.ts'
import type { Prices } from '../mission/prices.ts'

/** Two figures side by side: had nothing been masked, and as it was sent. */
export interface RawAndMasked {
  readonly raw: number
  readonly masked: number
}

/** What calls add up to. */
export interface CallSums {
  readonly calls: number
  /** The prompt of the last one, in tokens: what a provider has in its cache. */
  readonly last: RawAndMasked
  /** In prices of an uncached input token. */
  readonly spent: RawAndMasked
  /** What maskable results have cost by staying (DESIGN section 4, break-even). */
  readonly regret: number
}

/** What is known of the model's calls of one conversation: a few numbers, whatever its length. */
export interface CallsState {
  /** Fingerprints of the latest transcript states, the newest last: a retried call is no second call. */
  readonly recent: readonly string[]
  /** The sums without the last call, and with it. */
  readonly before: CallSums
  readonly after: CallSums
  /** How many tokens stood before the first change of the last call; null where it changed nothing. */
  readonly unchanged?: number | null
  /** The last mask stored as much as one call may store: the next call masks the rest. */
  readonly unfinished: boolean
}

const NO_SUMS: CallSums = {
  calls: 0,
  last: { raw: 0, masked: 0 },
  spent: { raw: 0, masked: 0 },
  regret: 0,
}

export const NO_CALLS_MADE: CallsState = {
  recent: [],
  before: NO_SUMS,
  after: NO_SUMS,
  unfinished: false,
}

/** What one call sends, in counted tokens. */
export interface CallSize extends RawAndMasked {
  /** How many tokens stand before the first change of this call; null where it changes nothing. */
  readonly unchanged: number | null
}

/** A call as it is planned: the conversation so far, and the size of this request with nothing masked. */
export interface PlannedCall {
  readonly state: CallsState
  readonly fingerprint: string
  readonly raw: number
  /** Tokens before the first result that went out raw at the last call and is masked again at this one. */
  readonly unchanged?: number | null
}

const REMEMBERED_STATES = 32

/** Names a transcript state. A retried call, masked or raw, has the same: its raw size does not change. */
export const fingerprintOf = (turns: number, results: number, raw: number): string =>
  `${turns} ${results} ${raw}`

/** Which of a conversation's states a call is: the last one again, one of long ago, or a new one. */
export function repeats({ recent }: CallsState, fingerprint: string): 'last' | 'older' | 'no' {
  if (recent.at(-1) === fingerprint) return 'last'
  return recent.includes(fingerprint) ? 'older' : 'no'
}

/** The sums that a call is added to: one that repeats the last call replaces it. */
export const sumsBefore = (calls: CallsState, fingerprint: string): CallSums =>
  repeats(calls, fingerprint) === 'last' ? calls.before : calls.after

/**
 * A call's prompts, raw and as sent: what was there at the last call is read from the cache, the rest
 * is written. The cache is empty before the first call, and for a prompt smaller than the last.
 */
export function promptsOf(
  { calls, last }: CallSums,
  { masked, raw, unchanged }: CallSize,
): { readonly raw: Prompt; readonly masked: Prompt } {
  if (calls === 0 || raw < last.raw)
    return { raw: { tokens: raw, written: raw }, masked: { tokens: masked, written: masked } }
  const kept = unchanged === null ? last.masked : Math.min(unchanged, last.masked)
  return {
    raw: { tokens: raw, written: raw - last.raw },
    masked: { tokens: masked, written: Math.max(0, masked - kept) },
  }
}

/** Of two places at which a call changes what was sent, the earlier one. */
export const earlier = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other)

/** What a conversation has spent once a call is made; one that repeats the last one stands in its place. */
export const spentWith = (
  calls: CallsState,
  fingerprint: string,
  size: CallSize,
  prices: Prices,
): RawAndMasked =>
  spentAfter(sumsBefore(calls, fingerprint), sizeOf(calls, fingerprint, size), prices)

/** A retried call finds its masks made: what it broke of the cache it has broken all the same. */
const sizeOf = (calls: CallsState, fingerprint: string, size: CallSize): CallSize =>
  repeats(calls, fingerprint) === 'last'
    ? { ...size, unchanged: earlier(calls.unchanged ?? null, size.unchanged) }
    : size

/** What a conversation has spent once a call of this size is made. */
export function spentAfter(sums: CallSums, size: CallSize, prices: Prices): RawAndMasked {
  const { masked, raw } = promptsOf(sums, size)
  return {
    raw: sums.spent.raw + priceOf(raw, prices),
    masked: sums.spent.masked + priceOf(masked, prices),
  }
}

/** The calls with one more; a state of long ago again changes nothing. */
export function withCall(
  calls: CallsState,
  fingerprint: string,
  size: CallSize,
  regret: number,
  prices: Prices,
): CallsState {
  const again = repeats(calls, fingerprint)
  if (again === 'older') return calls
  const before = sumsBefore(calls, fingerprint)
  return {
    ...calls,
    recent:
      again === 'last' ? calls.recent : [...calls.recent, fingerprint].slice(-REMEMBERED_STATES),
    before,
    unchanged: sizeOf(calls, fingerprint, size).unchanged,
    after: {
      calls: before.calls + 1,
      last: { raw: size.raw, masked: size.masked },
      spent: spentWith(calls, fingerprint, size, prices),
      regret,
    },
  }
}
