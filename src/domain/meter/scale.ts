import type { MissionSettings } from '../mission/settings.ts'
import { windowTokens } from './window.ts'

/** The model and window that a call names: kept where the mission has none of its own. */
export interface Named {
  readonly model?: string | undefined
  readonly window_tokens?: number | undefined
}

/** The window and thresholds that a mission's readings stand on; a window that a call names wins. */
export function scaleOf(settings: MissionSettings, named: Named = {}) {
  const window = windowTokens({
    model: named.model ?? settings.model,
    window_tokens: named.window_tokens ?? settings.window_tokens,
  })
  return { window_tokens: window.ok ? window.value : null, thresholds: settings.thresholds }
}

export const withNamed = (settings: MissionSettings, named: Named): MissionSettings => ({
  ...(named.model === undefined ? {} : { model: named.model }),
  ...(named.window_tokens === undefined ? {} : { window_tokens: named.window_tokens }),
  ...settings,
})
