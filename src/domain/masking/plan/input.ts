import type { PlannedCall } from '../../context/calls.ts'
import type { CountTokens } from '../../tokens.ts'
import type { CountedRequest } from '../../transcript/count.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import type { MaskRecord, Refusal } from '../masks/mask-record.ts'
import type { Recognised } from '../masks/recognise.ts'
import { type Policy } from '../policy.ts'
import type { JsonSources, Masker } from './masker.ts'

/** What the context meter says: calibrated, in percent of a window in tokens. */
export interface MeterReading {
  readonly percent: number | null
  readonly window_tokens: number | null
}

export interface PlanInput {
  readonly results: readonly ToolResult[]
  readonly policy: Policy
  readonly counted: CountedRequest
  readonly count: CountTokens
  readonly meter: MeterReading
  /** True tokens per counted token (DESIGN section 5); 1 where nothing was calibrated. */
  readonly ratio: number
  readonly recognised: Recognised
  /** Whether anything is masked that was not masked before; true where it is not said. */
  readonly anew?: boolean
  readonly storage: 'memex' | 'in_context'
  /** The JSON source of the results that are not plain text. */
  readonly sources: JsonSources
  /** Pointers of results that a retention decision keeps, beside the policy's `pinned`. */
  readonly pinned?: ReadonlySet<string>
  /** Paths of the extracts that results have, by pointer. */
  readonly extracts?: ReadonlyMap<string, string>
  /** Raw results that were masked before, by pointer: they are masked again, before any policy. */
  readonly again?: ReadonlyMap<string, MaskRecord>
  /** Those that were unmasked since: a new mask of them has the placeholder that they had. */
  readonly lifted?: ReadonlyMap<string, MaskRecord>
  /** Results whose bytes were refused before, by pointer. */
  readonly refused?: ReadonlyMap<string, Refusal>
  /** With `break_even`: the calls of the conversation, and which of its states this is. */
  readonly calls?: PlannedCall
  /** What makes the masks; who plans call after call may keep one that remembers them. */
  readonly masker?: Masker
}
