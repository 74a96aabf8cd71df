import type { Calibration } from '../meter/calibration.ts'
import type { Reading } from '../meter/meter.ts'

/** A tool result of 2 KB and more that no extract keeps yet (seed step 1). */
export interface ExtractDue {
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  readonly bytes: number
  /** So large a part of the window that it should be extracted at once. */
  readonly urgent?: boolean
}

/** What the meter of a mission knows. */
export interface MeterState {
  readonly reading: (Reading & { readonly at: string }) | null
  readonly calibration: Calibration | null
  /** Assistant turns of the transcript that was last seen. */
  readonly turns: number
  /** How many tool results a mask would replace now. */
  readonly maskable: number
  /** Outputs were masked in this context. */
  readonly after_masking: boolean
  /** The task was reported complete in this context. */
  readonly task_done: boolean
  readonly extracts_due: readonly ExtractDue[]
}

export const NO_METER: MeterState = {
  reading: null,
  calibration: null,
  turns: 0,
  maskable: 0,
  after_masking: false,
  task_done: false,
  extracts_due: [],
}
