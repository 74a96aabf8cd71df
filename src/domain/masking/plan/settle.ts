import type { Bytes } from '../../bytes.ts'
import type { Ref } from '../../digest.ts'
import type { CountedItem } from '../../transcript/count.ts'
import type { MaskRecord } from '../masks/mask-record.ts'
import type { BreakEven } from './break-even.ts'
import { maskRecord, type Decision, type Unstorable } from './decision.ts'

/** What a plan stands on. */
export interface Basis {
  readonly storage: 'memex' | 'in_context'
  /** Percent of the window before masking, calibrated. */
  readonly percent: number | null
  readonly window_tokens: number | null
  readonly ratio: number
  readonly fired: boolean
  /** Null where everything eligible is masked. */
  readonly target_percent: number | null
  readonly clear_at_least_tokens: number
  readonly items: readonly CountedItem[]
}

/** The masking log: what becomes of each tool result, and what that does to the context. */
export interface Plan {
  readonly decisions: readonly Decision[]
  readonly storage: 'memex' | 'in_context'
  /** How many results this plan masks. */
  readonly masked: number
  /** How many wait for the next call, because this one stores no more. */
  readonly postponed: number
  /** Counted tokens that it saves; times the calibration ratio, true ones. */
  readonly saved_tokens: number
  readonly percent_before: number | null
  readonly percent_after: number | null
  /** Why nothing is masked although something could be. */
  readonly held: 'below_trigger' | 'under_clear_at_least' | 'not_due' | null
  /** The pointers of what costs most, where the target can't be reached. */
  readonly target_unreachable: { readonly largest: readonly string[] } | null
  readonly break_even: BreakEven | null
  readonly basis: Basis
}

const LARGEST = 5

/** The percent of the window after so many counted tokens are gone; null where it is not known. */
export const percentAfter = (basis: Basis, saved: number): number | null =>
  basis.percent === null
    ? null
    : basis.window_tokens === null || saved === 0
      ? basis.percent
      : Math.max(0, basis.percent - (saved * basis.ratio * 100) / basis.window_tokens)

/** The plan that decisions make; it masks nothing where too little can be cleared or none is due. */
export function settle(
  decided: readonly Decision[],
  basis: Basis,
  breakEven: BreakEven | null = null,
): Plan {
  const possible = decided.reduce((sum, decision) => sum + decision.saved_tokens, 0)
  const held = heldBack(basis, possible, breakEven)
  const decisions = held === null ? decided : decided.map(stay)
  const saved_tokens = held === null ? possible : 0
  const percent_after = percentAfter(basis, saved_tokens)
  const missed =
    basis.fired &&
    basis.target_percent !== null &&
    percent_after !== null &&
    percent_after >= basis.target_percent
  return {
    decisions,
    storage: basis.storage,
    masked: decisions.filter((decision) => decision.decision === 'masked').length,
    postponed: decisions.filter((decision) => decision.decision === 'postponed').length,
    saved_tokens,
    percent_before: basis.percent,
    percent_after,
    held,
    target_unreachable: missed ? { largest: largest(basis.items, decisions) } : null,
    break_even: breakEven,
    basis,
  }
}

/** A masked result whose bytes can't be stored: it stays, or takes its fallback. */
export function unstored(decision: Decision, reason: Unstorable): Decision {
  const fallback = decision.mask?.fallback ?? null
  return fallback === null || fallback.saved_tokens <= 0
    ? { ...decision, decision: reason, saved_tokens: 0 }
    : {
        ...decision,
        unstorable: reason,
        saved_tokens: fallback.saved_tokens,
        mask: { ...fallback, fallback: null },
      }
}

export interface PlannedExcerpt {
  readonly ref: Ref
  readonly bytes: Bytes
  readonly tool: string
  /** The results that it is the evidence of: where it can't be stored, all of them fail. */
  readonly pointers: readonly string[]
}

/** What must be stored before the plan may be applied; equal bytes once. */
export function plannedExcerpts(plan: Plan): PlannedExcerpt[] {
  const excerpts = new Map<Ref, PlannedExcerpt & { pointers: string[] }>()
  for (const { decision, mask, pointer, tool } of plan.decisions) {
    if (decision !== 'masked' || mask === null || mask.ref === null || mask.excerpt === null)
      continue
    const known = excerpts.get(mask.ref)
    if (known === undefined)
      excerpts.set(mask.ref, { ref: mask.ref, bytes: mask.excerpt, tool, pointers: [pointer] })
    else known.pointers.push(pointer)
  }
  return [...excerpts.values()]
}

/** What to remember of the plan: what it masks, and what is refused and was not known to be. */
export const maskRecords = (
  plan: Plan,
  characters: ReadonlyMap<string, number>,
  refused: ReadonlyMap<string, unknown> = new Map(),
): MaskRecord[] =>
  plan.decisions
    .filter(({ decision, pointer }) => decision === 'masked' || !refused.has(pointer))
    .map((decision) => maskRecord(decision, characters.get(decision.pointer) ?? 0))
    .filter((record) => record !== null)

function heldBack(basis: Basis, possible: number, breakEven: BreakEven | null): Plan['held'] {
  if (!basis.fired) return 'below_trigger'
  if (breakEven !== null && !breakEven.due) return 'not_due'
  return possible < basis.clear_at_least_tokens ? 'under_clear_at_least' : null
}

const stay = (decision: Decision): Decision =>
  decision.decision === 'masked' || decision.decision === 'postponed'
    ? { ...decision, decision: 'target_reached', saved_tokens: 0 }
    : decision

function largest(items: readonly CountedItem[], decisions: readonly Decision[]): string[] {
  const saved = new Map(decisions.map((decision) => [decision.pointer, decision.saved_tokens]))
  return items
    .map(({ pointer, tokens }) => ({ pointer, left: tokens - (saved.get(pointer) ?? 0) }))
    .filter(({ left }) => left > 0)
    .toSorted((a, b) => b.left - a.left)
    .slice(0, LARGEST)
    .map(({ pointer }) => pointer)
}
