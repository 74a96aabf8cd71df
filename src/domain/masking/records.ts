import type { CostPoint } from '../meter/cost.ts'
import type { MaskingEntry } from './masking-entry.ts'
import type { MaskRecord } from './masks/mask-record.ts'

/** The records that this folder owns, beside those of observed outputs. */
export interface MaskingRecords {
  readonly masking: MaskingEntry
  readonly mask: readonly MaskRecord[]
  /** By a ref, the keys of the masks that have it. */
  readonly mask_ref: readonly string[]
  readonly retention: Retention
  readonly cost: CostPoint
}

/** A binary decision on one output. */
interface Retention {
  readonly turn: number
  readonly call_id: string
  readonly decision: 'mask' | 'keep'
  readonly at: string
}
