import type { MissionState } from '../mission/state.ts'
import type { DisabledEndpoint } from './delivery.ts'
import type { ParkedPhase } from './parking.ts'
import type { WaitingReport } from './reports.ts'

/** What a mission keeps for its hooks; receipts, deliveries and events are records. */
export interface HooksState {
  /** At most one entry a phase, in the order of the phases. */
  readonly parked: readonly ParkedPhase[]
  readonly disabled: readonly DisabledEndpoint[]
  /** When the sender says that each document was made, so that an older one never replaces it. */
  readonly artifacts_at: Readonly<Record<string, string>>
  /** Reports that wait for a window, oldest first; a mission of yesterday has none. */
  readonly reports?: readonly WaitingReport[]
}

export const NO_HOOKS: HooksState = { parked: [], disabled: [], artifacts_at: {}, reports: [] }

/** A mission that was stored before it had hooks has none. */
export const hooksOf = (state: MissionState): HooksState => state.hooks ?? NO_HOOKS
