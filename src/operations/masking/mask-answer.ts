import type { Contract } from '../../contract/contract.ts'
import { jsonSource } from '../../contract/json-source.ts'
import type { AnswerBody, Call } from '../../contract/operation.ts'
import { firstChange } from '../../domain/context/answered.ts'
import { sourceAt } from '../../domain/json/source.ts'
import { adviceFor } from '../../domain/ledger/situation.ts'
import { roundPercent } from '../../domain/log/line.ts'
import type { Applied } from '../../domain/masking/plan/apply.ts'
import { isMasked } from '../../domain/masking/plan/decision.ts'
import type { Decision } from '../../domain/masking/plan/decision.ts'
import type { Plan } from '../../domain/masking/plan/settle.ts'
import type { Deps } from '../../ports.ts'
import { adviceAnswer, dueAnswer, tooLong } from '../missions/context-answer.ts'
import { ROOT } from '../transcript/read-transcript.ts'
import { sentMasked } from './apply-mask.ts'
import type { AppliedMask } from './apply-mask.ts'
import type { Prepared } from './prepare-mask.ts'

type Row = Contract['mask']

export interface Outcome extends AppliedMask {
  readonly body: Call<Row>['body']
  readonly plan: Plan
  readonly applied: Applied
  readonly prepared: Prepared
}

/** What the caller hears: the request as it now stands or the edits, and why each result stayed. */
export function maskAnswer(deps: Pick<Deps, 'memex'>, outcome: Outcome): AnswerBody<Row> {
  const { plan, applied, state, seen } = outcome
  const warnings = tooLong(deps, seen.turns)
  return {
    ...(outcome.body.return === 'edits'
      ? { edits: applied.edits.map((edit) => ({ ...edit })) }
      : { request: jsonSource(requestOf(applied.source)) }),
    format: outcome.prepared.seen.lens.name,
    masked: plan.masked,
    masked_before: outcome.prepared.masks.masked.size,
    ...(plan.postponed === 0 ? {} : { postponed: plan.postponed }),
    decisions: plan.decisions.map(decisionAnswer),
    first_changed_pointer: firstChanged(outcome),
    context: {
      before: shownPercent(plan.percent_before),
      after: shownPercent(outcome.percent_after),
    },
    ...(plan.target_unreachable === null
      ? {}
      : { target_unreachable: { largest: [...plan.target_unreachable.largest] } }),
    storage: plan.storage,
    log_entry: outcome.entry && { ...outcome.entry, items: [...outcome.entry.items] },
    advice: state && adviceAnswer(adviceFor(state)),
    extracts_due: dueAnswer((state?.context ?? seen).extracts_due),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}

/** Where this answer first differs from the one before, as far as both have it. */
function firstChanged({ plan, prepared: { masks } }: Outcome): string | null {
  const index = firstChange(masks.alignment, sentMasked(plan), masks.answered)
  if (index === null) return null
  const decision = plan.decisions[index]
  return decision?.mask?.target.pointer ?? decision?.pointer ?? null
}

/** The transcript's own text, cut out of the body that it stands in. */
export function requestOf(source: string): string {
  const request = sourceAt(source, ROOT)
  if (request === null) throw new TypeError('the body has no request')
  return request
}

/** A percentage as answers show it. */
export const shownPercent = (percent: number | null): number | null =>
  percent && roundPercent(percent)

/** One line of the masking log. */
export const decisionAnswer = (decision: Decision): AnswerBody<Row>['decisions'][number] => ({
  pointer: decision.pointer,
  call_id: decision.call_id,
  tool: decision.tool,
  turn: decision.turn,
  decision: decision.decision,
  ...(isMasked(decision) && decision.mask?.ref ? { ref: decision.mask.ref } : {}),
  bytes: decision.bytes,
  tokens: decision.tokens,
  saved_tokens:
    decision.decision === 'masked_before'
      ? (decision.mask?.saved_tokens ?? 0)
      : decision.saved_tokens,
})
