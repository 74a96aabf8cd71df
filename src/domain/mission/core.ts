import type { Phase, Status } from './phases.ts'
import type { MissionSettings } from './settings.ts'

/** The slice that every rule may read: whose mission it is, and how far. Features add slices to it. */
export interface Core {
  readonly tenant: string
  readonly mission: string
  /** Grows by one with each change, so that copies elsewhere can tell old from new. */
  readonly version: number
  readonly status: Status
  readonly phase: Phase
  readonly settings: MissionSettings
  readonly created_at: string
  readonly updated_at: string
}
