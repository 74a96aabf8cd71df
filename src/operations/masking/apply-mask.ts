import type { Seen } from '../../domain/context/report/look.ts'
import type { Failure } from '../../domain/failure.ts'
import type { MissionState } from '../../domain/ledger/state.ts'
import { maskingItems, seenAfter, sessionCall } from '../../domain/masking/masked-event.ts'
import { maskingEntry } from '../../domain/masking/masking-entry.ts'
import type { MaskingEntry } from '../../domain/masking/masking-entry.ts'
import { isMasked } from '../../domain/masking/plan/decision.ts'
import { maskRecords } from '../../domain/masking/plan/settle.ts'
import type { Plan } from '../../domain/masking/plan/settle.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'
import type { Prepared } from './prepare-mask.ts'

export interface AppliedMask {
  /** Null where nothing was masked anew and nothing failed. */
  readonly entry: MaskingEntry | null
  readonly seen: Seen
  readonly percent_after: number | null
  /** Null without a mission's object. */
  readonly state: MissionState | null
}

/** Makes the mask part of the mission; without an object its log entry is only answered. */
export async function applyMask(
  deps: Pick<Deps, 'missions' | 'newId'>,
  owner: Owner,
  at: string,
  prepared: Prepared,
  plan: Plan,
): Promise<Result<AppliedMask, Failure>> {
  const { counted, fingerprint, masks, named, policy, raw, seen: lens, unchanged } = prepared
  const { window_tokens } = prepared
  const { reading } = lens
  const id = deps.newId()
  const items = maskingItems(plan, masks.refused)
  const seen = seenAfter(plan, reading, counted, window_tokens)
  if (deps.missions === null) {
    const entry = items.length === 0 ? null : maskingEntry({ id, items }, at, plan.percent_after)
    return ok({ entry, seen, percent_after: plan.percent_after, state: null })
  }
  const state = await deps.missions.apply({
    ...owner,
    at,
    speaker: masks.speaker,
    event: {
      type: 'masked',
      id,
      items,
      masks: maskRecords(plan, masks.characters, masks.refused),
      counted: { before: counted.tokens, after: counted.tokens - plan.saved_tokens },
      call: sessionCall(plan, counted, reading.turns, { fingerprint, raw, unchanged }),
      maskable_tokens: plan.break_even?.maskable_tokens ?? null,
      prices: policy.prices,
      unfinished: plan.postponed > 0,
      answer: { names: masks.speaker.names, masked: sentMasked(plan), gone: masks.alignment.gone },
      named,
      seen,
    },
  })
  if (!state.ok) return state
  const percent = window_tokens === null ? null : (state.value.context.reading?.percent ?? null)
  const { updated_at } = state.value
  const entry = items.length === 0 ? null : maskingEntry({ id, items }, updated_at, percent)
  return ok({ entry, seen, percent_after: percent, state: state.value })
}

/** Whether each tool result is sent masked. */
export const sentMasked = (plan: Plan): readonly boolean[] =>
  plan.decisions.map((decision) => isMasked(decision) || decision.decision === 'already_masked')
