import type { Verdict } from '../checks/verdict.ts'
import type { Artifact } from './artifact.ts'
import type { EscalationRecords } from './escalation.ts'

/** The records that this folder owns. */
export interface FoldRecords extends EscalationRecords {
  readonly artifact: Artifact
  readonly verdict: Judged
}

/** What is kept of a submission: in its round, the same bytes from the same prompt get the same answer. */
export interface Judged {
  readonly fold_sha256: string
  readonly prompt_sha256: string
  readonly verdict: Verdict
  readonly ref: string
  /** Of its row of telemetry. This and the round are absent in what was stored before they were kept. */
  readonly id?: string
  readonly round?: number
}
