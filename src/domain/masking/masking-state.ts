import type { BreakEven } from './plan/break-even.ts'
import { NO_SESSION } from './session-cost.ts'
import type { SessionState } from './session-cost.ts'

/** What a mission knows of its masking, apart from the records. */
export interface MaskingState {
  /** Call ids and refs that unmasking pinned: they stay in the context (seed, decision point 6). */
  readonly pinned: readonly string[]
  /** Single results that are kept, as `retentionKey` names them (seed step 2). */
  readonly retained: readonly string[]
  /** What the maskable results have cost by staying; null before `break_even` was asked. */
  readonly regret: Regret | null
  /** What the session cost so far. */
  readonly session: SessionState
}

/** The slice that this folder owns. */
export interface HasMasking {
  readonly masking: MaskingState
}

export const NO_MASKING: MaskingState = {
  pinned: [],
  retained: [],
  regret: null,
  session: NO_SESSION,
}

/** Regret advances once a transcript state: a retried call starts from `before` again. */
export interface Regret {
  /** Names the transcript state that was last seen (`fingerprintOf`). */
  readonly transcript: string
  readonly before: number
  readonly after: number
}

/**
 * The regret that a plan leaves. Only a mask pays it off; where the state's own mask comes back with
 * nothing left to mask, what it left stands.
 */
export function regretAfter(
  regret: Regret | null,
  transcript: string,
  plan: { readonly masked: number; readonly break_even: BreakEven | null },
): Regret | null {
  const { break_even, masked } = plan
  if (break_even === null) return null
  const before = regretBefore(regret, transcript)
  const settled = regret?.transcript === transcript && break_even.maskable_tokens === 0
  return { transcript, before, after: masked > 0 ? 0 : settled ? regret.after : break_even.regret }
}

/** The regret that a transcript state starts from (DESIGN section 4, break-even). */
export const regretBefore = (regret: Regret | null, transcript: string): number =>
  regret === null ? 0 : regret.transcript === transcript ? regret.before : regret.after
