import type { ContextReported } from '../context/events.ts'
import type { Phase } from '../mission/phases.ts'

/** What a mission keeps for its hooks; receipts, deliveries and events are records. */
interface HooksState {
  /** At most one entry a phase, in the order of the phases. */
  readonly parked: readonly ParkedPhase[]
  readonly disabled: readonly DisabledEndpoint[]
  /** When the sender says that each document was made, so that an older one never replaces it. */
  readonly artifacts_at: Readonly<Record<string, string>>
  /** Reports that wait for a window, oldest first. */
  readonly reports: readonly WaitingReport[]
}

export const NO_HOOKS: HooksState = { parked: [], disabled: [], artifacts_at: {}, reports: [] }

/** The slice that this folder owns. */
export interface HasHooks {
  readonly hooks: HooksState
}

/** A phase that a platform announced before the mission could enter it. */
export interface ParkedPhase {
  readonly to: Phase
  /** When the platform says that it began. */
  readonly at: string
}

/** An endpoint that answered 410: it is not called again under that URL. */
export interface DisabledEndpoint {
  readonly endpoint: string
  readonly url: string
}

/** A platform's report of tokens, from before the mission had a window to set them against. */
export interface WaitingReport {
  readonly event: ContextReported
  /** When the platform says that it was so. */
  readonly at: string
  /** The phase that it is from. */
  readonly during: Phase
}
