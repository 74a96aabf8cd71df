import type { Contract } from '../../contract/contract.ts'
import { jsonSource } from '../../contract/json-source.ts'
import type { AnswerBody, Call } from '../../contract/operation.ts'
import { roundPercent } from '../../domain/log/line.ts'
import { locate } from '../../domain/json/source.ts'
import { adviceFor } from '../../domain/ledger/situation.ts'
import type { Applied } from '../../domain/masking/plan/apply.ts'
import type { Decision } from '../../domain/masking/plan/decision.ts'
import type { Plan } from '../../domain/masking/plan/settle.ts'
import type { Deps } from '../../ports.ts'
import { adviceAnswer, dueAnswer } from '../context/context-answer.ts'
import type { Logged } from './apply-mask.ts'
import { ROOT } from '../transcript/read-transcript.ts'
import type { Transcript } from '../transcript/read-transcript.ts'
import { tooLong } from '../context/report-context.ts'

type Row = Contract['mask']

export interface Outcome extends Logged {
  readonly body: Call<Row>['body']
  readonly plan: Plan
  readonly applied: Applied
  readonly transcript: Transcript
}

/** What the caller hears: the request as it now stands or the edits, and why each result stayed. */
export function maskAnswer(deps: Pick<Deps, 'memex'>, outcome: Outcome): AnswerBody<Row> {
  const { plan, applied, state, seen } = outcome
  const warnings = tooLong(deps, seen.turns)
  return {
    ...(outcome.body.return === 'edits'
      ? { edits: applied.edits.map((edit) => ({ ...edit })) }
      : { request: jsonSource(requestOf(applied.source)) }),
    format: outcome.transcript.lens.name,
    masked: plan.masked,
    decisions: plan.decisions.map(decisionAnswer),
    first_changed_pointer: applied.first_changed_pointer,
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

/** The transcript's own text, cut out of the body that it stands in. */
export function requestOf(source: string): string {
  const span = locate(source, [ROOT]).get(ROOT)
  if (span === undefined) throw new TypeError('the body has no request')
  return source.slice(span.start, span.end)
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
  ...(decision.decision === 'masked' && decision.mask?.ref ? { ref: decision.mask.ref } : {}),
  bytes: decision.bytes,
  tokens: decision.tokens,
  saved_tokens: decision.saved_tokens,
})
