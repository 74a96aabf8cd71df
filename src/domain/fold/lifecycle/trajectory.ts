import type { MissionState } from '../../ledger/state.ts'

/** The trajectory that will be folded is the largest context that the meter saw in locate (seed). */
export function withTrajectory(state: MissionState): MissionState {
  return state.phase === 'locate' ? grown(state, state.meter.reading?.tokens ?? null) : state
}

/** A report that its sender says is from locate, whichever phase the mission is in. */
export const grown = (state: MissionState, tokens: number | null): MissionState =>
  tokens === null || tokens <= (state.folding.locate_tokens ?? 0)
    ? state
    : { ...state, folding: { ...state.folding, locate_tokens: tokens } }
