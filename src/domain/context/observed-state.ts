import type { Calibration } from '../meter/calibration.ts'

/** Where a mission stands with the outputs that it was told of: numbers only, O(1) in the session. */
export interface ObservedState {
  /** Outputs so far, and so the next one's ordinal. */
  readonly count: number
  readonly turn: number
  /** The first ordinal of the current turn, which the model has not answered yet. */
  readonly turn_start: number
  /** Our count of the context when the turn began: what a provider has in its prompt cache. */
  readonly turn_position: number
  /** Outputs with a lower ordinal are masked, or were passed over. */
  readonly next: number
  /** Outputs with a lower ordinal have left the keep window. */
  readonly edge: number
  readonly maskable: number
  /** What masking all of [next, edge) would save. */
  readonly maskable_tokens: number
  /** The position of the first maskable output, or a lower one. */
  readonly first_position: number | null
  /** Our count of inputs and outputs, less what was masked. */
  readonly counted: number
  /** What provider and host said of the context, against `counted`. */
  readonly calibration: Calibration | null
  readonly regret: number
  /** What all masks together saved. */
  readonly saved: number
  /** When an observation last set the reading: one of another time is from a report or a mask. */
  readonly read_at: string
}

export const NOTHING_OBSERVED: ObservedState = {
  count: 0,
  turn: 0,
  turn_start: 0,
  turn_position: 0,
  next: 0,
  edge: 0,
  maskable: 0,
  maskable_tokens: 0,
  first_position: null,
  counted: 0,
  calibration: null,
  regret: 0,
  saved: 0,
  read_at: '',
}

/** A fresh context holds none of the outputs so far: none is counted, and none can be masked in it. */
export const withoutContext = (state: ObservedState): ObservedState => ({
  ...NOTHING_OBSERVED,
  count: state.count,
  turn_start: state.count,
  next: state.count,
  edge: state.count,
})
