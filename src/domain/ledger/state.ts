import type { Phase, Status } from '../mission/phases.ts'
import { NO_FOLDING } from '../fold/lifecycle/folding.ts'
import type { FoldingState } from '../fold/lifecycle/folding.ts'
import { NO_HOOKS } from '../hooks/hooks-state.ts'
import type { HooksState } from '../hooks/hooks-state.ts'
import { NO_MASKING } from '../masking/masking-state.ts'
import type { MaskingState } from '../masking/masking-state.ts'
import { NO_MEMORY } from '../memory/memory-state.ts'
import type { MemoryState } from '../memory/memory-state.ts'
import { NO_METER } from '../context/context-state.ts'
import type { MeterState } from '../context/context-state.ts'
import type { MissionSettings } from '../mission/settings.ts'

/** All that a mission is, apart from its records. It stays small: what grows is a record. */
export interface MissionState {
  readonly tenant: string
  readonly mission: string
  /** Grows by one with each change, so that copies elsewhere can tell old from new. */
  readonly version: number
  readonly status: Status
  readonly phase: Phase
  readonly fold: 'none' | 'rejected' | 'accepted'
  readonly settings: MissionSettings
  readonly meter: MeterState
  readonly masking: MaskingState
  readonly folding: FoldingState
  readonly hooks: HooksState
  readonly memory: MemoryState
  readonly created_at: string
  readonly updated_at: string
}

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
  meter: NO_METER,
  masking: NO_MASKING,
  folding: NO_FOLDING,
  hooks: NO_HOOKS,
  memory: NO_MEMORY,
  created_at: at,
  updated_at: at,
})
