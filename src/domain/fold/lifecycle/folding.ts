import type { Artifacts } from './artifact.ts'

/** What an accepted fold showed; the gate stands on it. */
export interface AcceptedFold {
  readonly fold_sha256: string
  readonly prompt_sha256: string
  readonly rules_version: number
  readonly sections: boolean
  /** How many excerpt refs of findings.md were looked up, and resolved. */
  readonly refs: number
  readonly fold_ratio: number | null
  /** Call ids of large outputs that stood in the context unmasked, as it was last reported. */
  readonly reported?: readonly string[]
  readonly at: string
}

/** What a mission keeps for its fold; verdicts and escalations are records. */
export interface FoldingState {
  readonly artifacts: Artifacts
  /** The largest context that the meter saw in locate, in tokens: the trajectory that is folded. */
  readonly locate_tokens: number | null
  readonly accepted: AcceptedFold | null
  /** When a context report showed that only fold and index are left. */
  readonly proved_at: string | null
  /**
   * How often the way was opened for another fold, by a human or by other documents: what was judged
   * before is judged anew.
   */
  readonly round: number
  /** Ids of the escalations that halt the mission. */
  readonly halted_by: readonly string[]
  /** 0, or 1 for a follow-up and what it delegates, which have no follow-up of their own. */
  readonly depth: number
  /** Tool calls counted against the budget of the abstract phase. */
  readonly tool_calls: number
}

/** The slice that this folder owns. */
export interface HasFold {
  readonly fold: 'none' | 'rejected' | 'accepted'
  readonly folding: FoldingState
}

export const NO_FOLDING: FoldingState = {
  artifacts: {},
  locate_tokens: null,
  accepted: null,
  proved_at: null,
  round: 0,
  halted_by: [],
  depth: 0,
  tool_calls: 0,
}

/** From here on every fold is judged anew, also one that was judged before. */
export const nextRound = (folding: FoldingState): FoldingState => ({
  ...folding,
  round: folding.round + 1,
})
