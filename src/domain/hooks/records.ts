import type { LiveEvent } from '../mission/live-event.ts'
import type { DeliveryRecords } from './delivery.ts'
import type { ReceiptRecords } from './receipt.ts'

/** The records that this folder owns. */
export interface HooksRecords extends DeliveryRecords, ReceiptRecords {
  readonly event: LiveEvent
}
