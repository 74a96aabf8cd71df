import type { Bytes } from '../../bytes.ts'
import type { Ref } from '../../digest.ts'
import type { Whole } from '../../transcript/lens.ts'
import type { MaskRecord } from '../recognise.ts'

/** What becomes of a tool result, and why. */
export const DECISIONS = [
  'masked',
  'inside_keep_window',
  'excluded_tool',
  'pinned',
  'small',
  'not_shorter',
  'already_masked',
  'open_call',
  'unsupported_part',
  'store_failed',
  'too_large',
  'secret',
  'target_reached',
] as const
export type DecisionReason = (typeof DECISIONS)[number]

/** Why a result can't be stored. */
export type Unstorable = 'store_failed' | 'too_large' | 'secret'

/** The decision on one tool result. Bytes are those that would be stored; tokens are o200k counts. */
export interface Decision {
  readonly pointer: string
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  readonly occurrence: number
  readonly is_error: boolean
  readonly decision: DecisionReason
  readonly bytes: number
  readonly tokens: number
  /** Tokens less by this plan: 0 where it is not masked. */
  readonly saved_tokens: number
  /** What is masked, or was until its bytes could not be stored. */
  readonly mask: Mask | null
  /** Why a masked result has no ref although there is storage. */
  readonly unstorable?: Unstorable
}

/** How a result is masked. */
export interface Mask {
  readonly placeholder: string
  readonly ref: Ref | null
  readonly form: 'text' | 'json'
  readonly extract: string | null
  /** The bytes to store under `ref`; null without storage. */
  readonly excerpt: Bytes | null
  /** Where the placeholder goes: the text's pointer, or the whole value's with what stands around. */
  readonly target: Target
  readonly saved_tokens: number
  /** In its place when its bytes can't be stored and the policy wants a placeholder all the same. */
  readonly fallback: Omit<Mask, 'fallback'> | null
}

export type Target = Pick<Whole, 'pointer' | 'before' | 'after'>

/** The record of a masked result, or null where it is not masked. */
export function maskRecord(decision: Decision): MaskRecord | null {
  const { mask } = decision
  if (decision.decision !== 'masked' || mask === null) return null
  return {
    call_id: decision.call_id,
    tool: decision.tool,
    ref: mask.ref,
    form: mask.form,
    is_error: decision.is_error,
    occurrence: decision.occurrence,
    extract: mask.extract,
    saved_tokens: decision.saved_tokens,
  }
}
