import type { Speaker } from '../context/conversation.ts'
import type { ContextEvent } from '../context/events.ts'
import type { Failure, FailureCode } from '../failure.ts'
import type { FoldEvent } from '../fold/lifecycle/events.ts'
import type { HooksEvent } from '../hooks/events.ts'
import type { Claim } from '../hooks/receipt.ts'
import type { MaskingEvent } from '../masking/events.ts'
import type { ObservedEvent } from '../masking/observation/observed.ts'
import type { MemoryEvent } from '../memory/events.ts'
import type { Phase } from '../mission/phases.ts'
import type { Find } from '../mission/record.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { Result } from '../result.ts'
import type { MissionRecords, MissionStep } from './records.ts'
import type { MissionState } from './state.ts'

/** What happens to a mission, in the past tense. Every event opens a mission that is not there yet. */
export type MissionEvent =
  | { readonly type: 'configured'; readonly settings: MissionSettings }
  | { readonly type: 'excerpt_stored' }
  | { readonly type: 'erased' }
  | ContextEvent
  | MaskingEvent
  | ObservedEvent
  | FoldEvent
  | MemoryEvent
  | HooksEvent
  | WebhookReceived

/** An event with its subject and its time: `at` is ISO 8601 UTC. */
export interface Occurrence {
  readonly tenant: string
  readonly mission: string
  readonly at: string
  readonly event: MissionEvent
  /** Whose transcript it is of, where one was seen. */
  readonly speaker?: Speaker | undefined
  /** Under an `Idempotency-Key`: which of the request's changes this is. It is made once. */
  readonly once?: string | undefined
  /**
   * That request's claim on its key. Before the mission is there, nothing can be claimed in it: the
   * change that opens the mission claims.
   */
  readonly claim?: Claim | undefined
}

/** A platform's event with all that it changes: claimed, done and answered at once. */
export interface WebhookReceived {
  readonly type: 'webhook_received'
  /** Null where the sender has no id for what it sends. */
  readonly claim: Claim | null
  /** The sender's time. */
  readonly occurred_at: string
  readonly effects: readonly Effect[]
  /** Parts that were refused before the mission heard of them. */
  readonly refused: readonly RefusedPart[]
}

/** How an effect is reduced: those of a webhook are events of all features. */
export type Reduce = (
  state: MissionState,
  event: MissionEvent,
  at: string,
  find: Find<MissionRecords>,
) => Result<MissionStep, Failure>

/** One change that a webhook brings; an artifact names itself, since only the newest one counts. */
export interface Effect {
  readonly event: MissionEvent
  readonly artifact?: string | undefined
  /** The phase that a report is from, where its sender says so. */
  readonly during?: Phase | undefined
}

/** A part of a webhook that could not be applied, and why. */
export interface RefusedPart {
  readonly part: string
  readonly code: FailureCode
}
