/** The rows that are asked for across missions: the shape of D1, one arm a table. */
export type LogRow = MissionRow | MaskingRow | SummaryRow | EscalationRow | FoldRow

interface OfMission {
  readonly tenant: string
  readonly mission: string
}

/** The missions index. A row with a lower `version` never replaces a later one. */
export interface MissionRow extends OfMission {
  readonly table: 'missions'
  readonly version: number
  readonly status: string
  readonly phase: string
  readonly fold: string
  readonly model: string | null
  readonly window_tokens: number | null
  readonly percent: number | null
  readonly zone: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** One masking run with the results that it masked or failed to store. */
export interface MaskingRow extends OfMission {
  readonly table: 'masking'
  readonly id: string
  readonly at: string
  readonly line: string
  readonly masked: number
  readonly percent: number | null
  readonly items: readonly MaskingItem[]
}

/** What the masking log says became of a result: it was masked, or why it could not be stored. */
export const LOGGED_DECISIONS = ['masked', 'store_failed', 'too_large', 'secret'] as const
export type LoggedDecision = (typeof LOGGED_DECISIONS)[number]

export interface MaskingItem {
  readonly pointer: string
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  readonly decision: LoggedDecision
  readonly ref: string | null
  readonly bytes: number
  readonly tokens: number
  readonly saved_tokens: number
}

export interface SummaryRow extends OfMission {
  readonly table: 'summaries'
  readonly id: string
  readonly at: string
  readonly line: string
  readonly turn_from: number
  readonly turn_to: number
  readonly saved_tokens: number
  readonly percent: number
}

export interface EscalationRow extends OfMission {
  readonly table: 'escalations'
  readonly id: string
  readonly at: string
  readonly trigger: string
  readonly status: string
  readonly body: string
}

/** Fold telemetry: one row a submitted fold. */
export interface FoldRow extends OfMission {
  readonly table: 'folds'
  readonly id: string
  readonly at: string
  readonly accepted: number
  readonly fold_tokens: number
  readonly trajectory_tokens: number | null
  readonly fold_ratio: number | null
}
