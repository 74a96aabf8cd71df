import type { Answered } from './answered.ts'
import type { ContextState } from './context-state.ts'
import type { Extracted, ExtractedTurn } from './extract-index.ts'
import type { Sample } from './report/sample.ts'

/** The records that this folder owns. */
export interface ContextRecords {
  readonly sample: Sample
  /** A conversation that is not the current one, by its id. */
  readonly conversation: ContextState
  /** What conversations were answered last: the current one's under `CURRENT`, else by id. */
  readonly answered: Answered
  /** By a call, what its extract is; by a turn of a task, which of its calls have one. */
  readonly extracted: Extracted | ExtractedTurn
}
