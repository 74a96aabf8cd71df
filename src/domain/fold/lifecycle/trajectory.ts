import type { HasContext } from '../../context/context-state.ts'
import type { Core } from '../../mission/core.ts'
import type { HasFold } from './folding.ts'

/** The trajectory that will be folded is the largest context that the meter saw in locate (seed). */
export function withTrajectory<S extends Core & HasContext & HasFold>(state: S): S {
  return state.phase === 'locate' ? grown(state, state.context.reading?.tokens ?? null) : state
}

/** A report that its sender says is from locate, whichever phase the mission is in. */
export const grown = <S extends HasFold>(state: S, tokens: number | null): S =>
  tokens === null || tokens <= (state.folding.locate_tokens ?? 0)
    ? state
    : { ...state, folding: { ...state.folding, locate_tokens: tokens } }
