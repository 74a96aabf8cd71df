import { FIRST_CONTEXT, ONE_CONTEXT } from '../context/context-state.ts'
import type { HasContext } from '../context/context-state.ts'
import { NO_FOLDING } from '../fold/lifecycle/folding.ts'
import type { HasFold } from '../fold/lifecycle/folding.ts'
import { NO_HOOKS } from '../hooks/hooks-state.ts'
import type { HasHooks } from '../hooks/hooks-state.ts'
import { NO_MASKING } from '../masking/masking-state.ts'
import type { HasMasking } from '../masking/masking-state.ts'
import { NO_MEMORY } from '../memory/memory-state.ts'
import type { HasMemory } from '../memory/memory-state.ts'
import type { Core } from '../mission/core.ts'
import type { MissionSettings } from '../mission/settings.ts'

/** All that a mission is, apart from its records. It stays small: what grows is a record. */
export type MissionState = Core & HasContext & HasMasking & HasFold & HasHooks & HasMemory

export const openedState = (
  tenant: string,
  mission: string,
  settings: MissionSettings,
  at: string,
): MissionState => ({
  tenant,
  mission,
  version: 0,
  status: 'active',
  phase: 'assess',
  fold: 'none',
  settings,
  context: FIRST_CONTEXT,
  contexts: ONE_CONTEXT,
  conversations: [],
  masking: NO_MASKING,
  folding: NO_FOLDING,
  hooks: NO_HOOKS,
  memory: NO_MEMORY,
  created_at: at,
  updated_at: at,
})
