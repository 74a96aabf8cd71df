import { NO_COST } from '../meter/cost.ts'
import type { CostTotals } from '../meter/cost.ts'

/** What a mission knows of its masking, apart from the records and from the current context. */
export interface MaskingState {
  /** Call ids and refs that unmasking pinned: they stay in the context (seed, decision point 6). */
  readonly pinned: readonly string[]
  /** Single results that are kept, as `resultKey` names them (seed step 2). */
  readonly retained: readonly string[]
  /** What the calls of all conversations cost so far. */
  readonly cost: CostTotals
}

/** The slice that this folder owns. */
export interface HasMasking {
  readonly masking: MaskingState
}

export const NO_MASKING: MaskingState = { pinned: [], retained: [], cost: NO_COST }
