import type { Heard, ObservedCall } from './heard.ts'
import type { ObservedRecords } from './observed.ts'

/** The records that this folder owns. */
export interface ObservationRecords extends ObservedRecords {
  readonly observed_call: ObservedCall
  readonly heard: Heard
}
