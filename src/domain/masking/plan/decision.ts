import type { Bytes } from '../../bytes.ts'
import type { Ref, Sha256 } from '../../digest.ts'
import type { LoggedDecision } from '../../log/row.ts'
import type { Whole } from '../../transcript/lens.ts'
import type { MaskRecord } from '../masks/mask-record.ts'

/** What becomes of a tool result, and why. */
export const DECISIONS = [
  'masked',
  'masked_before',
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
  'postponed',
] as const
export type DecisionReason = (typeof DECISIONS)[number]

/** Whether a result leaves as a placeholder by this call, for the first time or again. */
export const isMasked = ({ decision }: Pick<Decision, 'decision'>): boolean =>
  decision === 'masked' || decision === 'masked_before'

/** Why a result can't be stored. */
export type Unstorable = Exclude<LoggedDecision, 'masked'>

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
  /** Of its evidence, whether or not that is stored. */
  readonly digest: Sha256 | null
  readonly form: 'text' | 'json'
  /** The bytes to store under `ref`; null without storage. */
  readonly excerpt: Bytes | null
  /** Where the placeholder goes: the text's pointer, or the whole value's with what stands around. */
  readonly target: Target
  readonly saved_tokens: number
  /** In its place when its bytes can't be stored and the policy wants a placeholder all the same. */
  readonly fallback: Omit<Mask, 'fallback'> | null
}

export type Target = Pick<Whole, 'pointer' | 'before' | 'after'>

/** The record of a result that is masked, or refused, for the first time, or null. */
export function maskRecord(decision: Decision, characters: number): MaskRecord | null {
  const { decision: reason, mask } = decision
  const refused = reason === 'secret' || reason === 'too_large' ? { refused: reason } : {}
  if (mask === null || (reason !== 'masked' && refused.refused === undefined)) return null
  return {
    call_id: decision.call_id,
    tool: decision.tool,
    ref: mask.ref,
    digest: mask.digest,
    form: mask.form,
    is_error: decision.is_error,
    occurrence: decision.occurrence,
    placeholder: mask.placeholder,
    bytes: decision.bytes,
    characters,
    tokens: decision.tokens,
    saved_tokens: decision.saved_tokens,
    ...refused,
  }
}
