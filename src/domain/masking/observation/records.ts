import type { ObservedRecords } from './observed.ts'
import type { Reply, ObservedCall } from './reply.ts'

/** The records that this folder owns. */
export interface ObservationRecords extends ObservedRecords {
  readonly observed_call: ObservedCall
  readonly reply: Reply
}
