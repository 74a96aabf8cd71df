import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import type { ContextReported } from '../../domain/context/events.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { adviceFor } from '../../domain/ledger/situation.ts'
import { lookAt } from '../../domain/masking/seen.ts'
import type { Report } from '../../domain/meter/meter.ts'
import { parseUsage } from '../../domain/meter/usage.ts'
import { windowMissing } from '../../domain/meter/window.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'
import { proveContext } from '../fold/prove-context.ts'
import type { Masks } from '../masking/read-masks.ts'
import type { Sent } from '../masking/read-sent.ts'
import { readSent } from '../masking/read-sent.ts'
import { clearTexts } from '../memex/scan-evidence.ts'
import { adviceAnswer, dueAnswer, readingAnswer, tooLong } from '../missions/context-answer.ts'
import { modelOf, namedSpeaker } from '../transcript/read-transcript.ts'

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
  const owner = { tenant: caller.tenant, mission: params.mission }
  const at = isoTime(deps.now())
  const measured = await measureContext(deps, owner, { ...body, source: call.source }, at)
  if (!measured.ok) return measured
  const { event, sent } = measured.value
  const state = await deps.missions.apply({
    ...owner,
    at,
    event,
    speaker: sent?.masks.speaker ?? namedSpeaker(body.conversation),
  })
  if (!state.ok) return state
  const { context } = state.value
  if (context.reading === null) return err(windowMissing())
  if (sent !== null) await proveContext(deps, owner, state.value, sent)
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

/** A report as the mission is told of it, with the request that it was counted from. */
interface Measured {
  readonly event: ContextReported
  readonly sent: Sent | null
}

/** What no mask would replace: it is sent masked, or its bytes are refused. */
const closedIn = ({ masked, refused }: Masks): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([...masked, ...refused])

/** Measures what a report carries: usage is read, a request is counted as it will be sent. */
export async function measureContext(
  deps: Pick<Deps, 'missions' | 'loadTokens'>,
  owner: Owner,
  body: Call<Row>['body'] & { readonly source: string },
  at: string,
): Promise<Result<Measured, Failure>> {
  const usage = body.usage === undefined ? null : parseUsage(body.usage)
  if (usage?.ok === false) return usage
  const { request } = body
  const read = request === undefined ? null : await readSent(deps, owner, { ...body, request }, at)
  if (read?.ok === false) return read
  const sent = read?.value ?? null
  const report: Report = {
    used_percentage: body.used_percentage,
    usage: usage?.value,
    counted: sent?.counted.tokens,
    characters: body.characters,
  }
  const event: ContextReported = {
    type: 'context_reported',
    report,
    named: { model: body.model ?? modelOf(body.request), window_tokens: body.window_tokens },
    look: sent && lookAt(sent.seen.reading, sent.counted, closedIn(sent.masks)),
    turn: body.turn ?? null,
    cause: body.cause ?? 'report',
    task_complete: body.task_complete ?? false,
  }
  return ok({ event, sent })
}
