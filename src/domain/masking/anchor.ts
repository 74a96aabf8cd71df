import { beginContext, isFreshContext } from '../context/begin-context.ts'
import type { HasContext, ContextState } from '../context/context-state.ts'
import { calibrate, reanchor } from '../meter/calibration.ts'
import type { Calibration } from '../meter/calibration.ts'
import { scaleOf } from '../meter/scale.ts'
import type { Named } from '../meter/scale.ts'
import type { Core } from '../mission/core.ts'

/** A transcript as a mask finds it: our count of it, its turns, and the window that the call names. */
export interface Found {
  readonly counted: number
  readonly turns: number
  readonly named: Named
}

/** The mission as a mask of this transcript finds it: emptied where it is the first of a fresh context. */
export function contextOf<S extends Core & HasContext>(
  state: S,
  { counted, named, turns }: Found,
): S {
  const { window_tokens } = scaleOf(state.settings, named)
  const percent = window_tokens === null ? Infinity : (100 * counted) / window_tokens
  return isFreshContext(state.context, { cause: 'mask', turns, percent })
    ? beginContext(state)
    : state
}

/** The context's calibration for a request that we count as `counted`: the last report may say more. */
export function anchoredCalibration(
  context: ContextState,
  counted: number,
  window_tokens: number | null,
): Calibration | null {
  const actual = unexplained(context, counted, window_tokens)
  return actual === null ? context.calibration : reanchor(context.calibration, { counted, actual })
}

/**
 * The true tokens of a request that we count as `counted`, where the last report knows more of them
 * than our count. A host's own percentage outranks the count (DESIGN section 5); a usage
 * that came without its request does where it says more. Null where the count stands by itself.
 */
function unexplained(
  context: ContextState,
  counted: number,
  window_tokens: number | null,
): number | null {
  const { reading } = context
  if (reading === null || window_tokens === null) return null
  if (reading.method === 'host') return Math.round((reading.percent * window_tokens) / 100)
  if (reading.method !== 'usage' || context.calibration !== null || reading.tokens === null)
    return null
  return reading.tokens > calibrate(null, counted).tokens ? reading.tokens : null
}
