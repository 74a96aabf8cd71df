import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { lookAt } from '../../domain/masking/seen.ts'
import type { ContextReported } from '../../domain/context/events.ts'
import type { Report } from '../../domain/meter/meter.ts'
import { windowMissing } from '../../domain/meter/window.ts'
import { parseUsage } from '../../domain/meter/usage.ts'
import { adviceFor } from '../../domain/ledger/situation.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { adviceAnswer, dueAnswer, readingAnswer } from './context-answer.ts'
import { proveContext } from '../fold/prove-context.ts'
import { modelOf, readTranscript } from '../transcript/read-transcript.ts'
import type { Transcript } from '../transcript/read-transcript.ts'
import { clearTexts } from '../memex/scan-evidence.ts'

type Row = Contract['report_context']

/** A report of how full the context is becomes a sample; the answer says what to do next. */
export const reportContext: Operation<
  Row,
  Pick<
    Deps,
    | 'missions'
    | 'memex'
    | 'excerptCache'
    | 'defer'
    | 'report'
    | 'loadTokens'
    | 'loadSecrets'
    | 'now'
  >
> = async (deps, call) => {
  const { caller, params, body } = call
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const secrets = await clearTexts(deps, [['/cause', body.cause]])
  if (secrets !== null) return err(secrets)
  const measured = await measureContext(deps, body)
  if (!measured.ok) return measured
  const { event, transcript } = measured.value
  const owner = { tenant: caller.tenant, mission: params.mission }
  const state = await deps.missions.apply({ ...owner, at: isoTime(deps.now()), event })
  if (!state.ok) return state
  const { context } = state.value
  if (context.reading === null) return err(windowMissing())
  if (transcript !== null) await proveContext(deps, owner, state.value, transcript.reading)
  const warnings = tooLong(deps, context.turns)
  return ok(
    done({
      ...readingAnswer(context.reading),
      advice: adviceAnswer(adviceFor(state.value)),
      extracts_due: dueAnswer(context.extracts_due),
      ...(warnings.length === 0 ? {} : { warnings }),
    }),
  )
}

/** From turn 20 on masking without storage costs more than it saves (seed, decision point 3). */
export const tooLong = (deps: Pick<Deps, 'memex'>, turns: number): string[] =>
  deps.memex === null && turns >= 20 ? ['session_too_long_for_in_context_masking'] : []

/** A report as the mission is told of it, with the transcript that it was counted from. */
export interface Measured {
  readonly event: ContextReported
  readonly transcript: Transcript | null
}

/** Measures what a report carries: usage is read, a request is counted. */
export async function measureContext(
  deps: Pick<Deps, 'loadTokens'>,
  body: Call<Row>['body'],
): Promise<Result<Measured, Failure>> {
  const usage = body.usage === undefined ? null : parseUsage(body.usage)
  if (usage?.ok === false) return usage
  const transcript =
    body.request === undefined ? null : await readTranscript(deps, body.request, body.format)
  if (transcript?.ok === false) return transcript
  const report: Report = {
    used_percentage: body.used_percentage,
    usage: usage?.value,
    counted: transcript?.value.counted.tokens,
    characters: body.characters,
  }
  const event: ContextReported = {
    type: 'context_reported',
    report,
    named: { model: body.model ?? modelOf(body.request), window_tokens: body.window_tokens },
    look: transcript && lookAt(transcript.value.reading, transcript.value.counted),
    turn: body.turn ?? null,
    cause: body.cause ?? 'report',
    task_complete: body.task_complete ?? false,
  }
  return ok({ event, transcript: transcript?.value ?? null })
}
