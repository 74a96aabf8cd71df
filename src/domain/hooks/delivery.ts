import type { Core } from '../mission/core.ts'
import type { LiveEvent } from '../mission/live-event.ts'
import type { RecordWrite } from '../mission/record.ts'
import type { Subscription } from './endpoint.ts'
import type { DisabledEndpoint, HasHooks } from './hooks-state.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How long after each failed attempt the next one is made (DESIGN section 8); then it is dead. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const
// A receiver's own Retry-After can put an attempt off, but not for ever.
const MAX_RETRY_AFTER_MS = 10 * HOUR_MS

/** One event on its way to one endpoint. */
export interface Delivery {
  /** The `webhook-id`: the same at every attempt, so that the receiver can tell a repetition. */
  readonly message: string
  readonly endpoint: string
  readonly url: string
  readonly event: LiveEvent
  readonly state: 'pending' | 'delivered' | 'dead'
  readonly tries: number
  readonly next_at: string | null
  readonly last: { readonly at: string; readonly outcome: string } | null
}

export interface DeliveryRecords {
  readonly delivery: Delivery
}

/** What came of an attempt: a status, or why there was none. */
export type Attempt =
  | { readonly status: number; readonly retry_after_s: number | null }
  | { readonly failed: 'timeout' | 'unreachable' | 'endpoint_removed' | 'endpoint_disabled' }

export const isDisabled = (
  disabled: readonly DisabledEndpoint[],
  { endpoint, url }: DisabledEndpoint,
): boolean => disabled.some((known) => known.endpoint === endpoint && known.url === url)

/** The deliveries of a change's events to whoever subscribed to their types, due at once. */
export function newDeliveries(
  state: Core & HasHooks,
  events: readonly RecordWrite<{ readonly event: LiveEvent }>[],
  subscriptions: readonly Subscription[],
): readonly RecordWrite<DeliveryRecords>[] {
  const open = subscriptions.filter((one) => !isDisabled(state.hooks.disabled, one))
  return events.flatMap(({ key, at, body }) =>
    open
      .filter((subscription) => subscription.events.includes(body.type))
      .map(({ endpoint, url }) =>
        deliveryRecord(`${key}_${endpoint}`, at, {
          message: messageId(state.mission, key),
          endpoint,
          url,
          event: body,
          state: 'pending',
          tries: 0,
          next_at: at,
          last: null,
        }),
      ),
  )
}

/** A delivery after an attempt at `at`: delivered, due again, or dead. Redirects are failures. */
export function afterAttempt(delivery: Delivery, attempt: Attempt, at: string): Delivery {
  const tries = delivery.tries + 1
  const last = { at, outcome: outcomeOf(attempt) }
  const done = { ...delivery, tries, last, next_at: null }
  if ('status' in attempt && attempt.status >= 200 && attempt.status < 300)
    return { ...done, state: 'delivered' }
  const delay = RETRY_DELAYS_MS[tries - 1]
  if (delay === undefined || isFinal(attempt)) return { ...done, state: 'dead' }
  const asked = 'status' in attempt ? (attempt.retry_after_s ?? 0) * SECOND_MS : 0
  const wait = Math.max(delay, Math.min(asked, MAX_RETRY_AFTER_MS))
  return { ...done, state: 'pending', next_at: new Date(Date.parse(at) + wait).toISOString() }
}

export const deliveryRecord = (
  key: string,
  at: string,
  body: Delivery,
): RecordWrite<DeliveryRecords> => ({
  kind: 'delivery',
  key,
  at,
  body,
  due: body.next_at === null ? null : Date.parse(body.next_at),
})

/** A receiver that says 410 wants no more; one that is configured no more can't be asked. */
export const isGone = (attempt: Attempt): boolean => 'status' in attempt && attempt.status === 410

const isFinal = (attempt: Attempt): boolean =>
  isGone(attempt) ||
  ('failed' in attempt &&
    (attempt.failed === 'endpoint_removed' || attempt.failed === 'endpoint_disabled'))

const outcomeOf = (attempt: Attempt): string =>
  'status' in attempt ? String(attempt.status) : attempt.failed

// A mission's id may hold full stops, a message's may not; `~` is in no mission's id.
const messageId = (mission: string, event: string): string =>
  `${mission.replaceAll('.', '~')}_${event}`
