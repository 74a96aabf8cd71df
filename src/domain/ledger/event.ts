import type { FoldEvent } from '../fold/lifecycle/events.ts'
import type { HooksEvent } from '../hooks/events.ts'
import type { Claim } from '../hooks/receipt.ts'
import type { MaskingEvent } from '../masking/events.ts'
import type { ObservedEvent } from '../masking/observation/observed.ts'
import type { MemoryEvent } from '../memory/events.ts'
import type { MeterEvent } from '../context/report.ts'
import type { MissionSettings } from '../mission/settings.ts'

/** What happens to a mission, in the past tense. Every event opens a mission that is not there yet. */
export type MissionEvent =
  | { readonly type: 'configured'; readonly settings: MissionSettings }
  | { readonly type: 'excerpt_stored' }
  | { readonly type: 'erased' }
  | MeterEvent
  | MaskingEvent
  | ObservedEvent
  | FoldEvent
  | MemoryEvent
  | HooksEvent

/** An event with its subject and its time: `at` is ISO 8601 UTC. */
export interface Occurrence {
  readonly tenant: string
  readonly mission: string
  readonly at: string
  readonly event: MissionEvent
  /** Under an `Idempotency-Key`: which of the request's changes this is. It is made once. */
  readonly once?: string | undefined
  /**
   * The claim of that request on this mission. One that opens the mission could not claim its key
   * before: its first change does.
   */
  readonly claim?: Claim | undefined
}
