import type { LogRow } from '../log/row.ts'
import type { Telling } from './live-event.ts'
import type { Expiry, RecordWrite } from './record.ts'

/** Work that the mission's alarm does later: flush the outbox, end a TTL, erase, call webhooks. */
export type DueName = 'outbox' | 'ttl' | 'erase' | 'webhooks'

/** A record that is of no use any more. */
export interface Removal {
  readonly kind: string
  readonly key: string
}

/**
 * What a reducer makes of an event, over the slices of the state that it sees. A step that gives back
 * the very state it was given, and nothing else, changes nothing: no version, no row. `Bodies` are
 * those of the records that it may write; without any it writes none.
 */
export type Step<State, Bodies = object> = Written<State, RecordWrite<Bodies>>

/** A step by the rows that it may write: one that writes fewer kinds is one of more, too. */
interface Written<State, Row extends { readonly kind: string }> {
  readonly state: State
  readonly records?: readonly Row[]
  readonly outbox?: readonly LogRow[]
  /** When to wake for what, in unix ms; null cancels. */
  readonly due?: Readonly<Partial<Record<DueName, number | null>>>
  /** What sockets and webhooks hear of it beyond what state and records show by themselves. */
  readonly told?: readonly Telling[]
  readonly removed?: readonly Removal[]
  readonly expired?: Expiry<Row['kind']>
}
