import type { CostPoint } from '../meter/cost.ts'
import type { MaskingEntry } from './masking-entry.ts'
import type { MaskRecord } from './recognise.ts'

/** The records that this folder owns, beside those of observed outputs. */
export interface MaskingRecords {
  readonly masking: MaskingEntry
  readonly masked: readonly MaskRecord[]
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
