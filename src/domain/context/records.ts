import type { Extracted, ExtractedTurn } from './extract-index.ts'
import type { Sample } from './sample.ts'

/** The records that this folder owns. */
export interface ContextRecords {
  readonly sample: Sample
  /** By a call, what its extract is; by a turn of a task, which of its calls have one. */
  readonly extracted: Extracted | ExtractedTurn
}
