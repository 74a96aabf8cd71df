import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import { windowTokens } from '../meter/window.ts'
import type { Core } from '../mission/core.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'

/**
 * Takes over the settings that are named. A model whose window nobody knows is `window_unknown`,
 * unless the mission has a window of its own, from now or from before.
 */
export function reduceSettings<S extends Core>(
  state: S,
  named: MissionSettings,
): Result<Step<S>, Failure> {
  const settings = { ...state.settings, ...named }
  const window = windowTokens(settings)
  if (named.model !== undefined && !window.ok)
    return err(
      failure('window_unknown', { errors: [{ pointer: '/model', detail: 'is not in the table' }] }),
    )
  return ok({ state: { ...state, settings } })
}
