import { contract } from '../../contract/contract.ts'
import { parseInput } from '../../contract/input.ts'
import { utf8 } from '../../domain/bytes.ts'
import { FIRST_CONTEXT } from '../../domain/context/context-state.ts'
import type { Sha256 } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { GIVEN_ARTIFACTS } from '../../domain/fold/lifecycle/artifact.ts'
import type { GivenArtifact } from '../../domain/fold/lifecycle/artifact.ts'
import type { PlatformEvent } from '../../domain/hooks/senders/platform-event.ts'
import { isoTime } from '../../domain/identifier.ts'
import type { MissionEvent, Effect } from '../../domain/ledger/event.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner, View } from '../../ports.ts'
import { measureContext } from '../context/report-context.ts'
import { keepArtifact } from '../fold/artifacts/put-artifact.ts'
import { clearEscalation, escalationOf } from '../fold/escalations/record-escalation.ts'
import { provesContext } from '../fold/prove-context.ts'
import { foundRecords } from '../found-records.ts'
import { takeOutput } from '../masking/observation/take-output.ts'
import { holdsSecret } from '../memex/scan-evidence.ts'

export type EffectDeps = Pick<
  Deps,
  | 'missions'
  | 'memex'
  | 'excerptCache'
  | 'defer'
  | 'report'
  | 'loadTokens'
  | 'loadSecrets'
  | 'now'
  | 'newId'
>

/** What a platform's event will change, and what was newly stored for it on the way. */
interface Prepared {
  readonly effects: readonly Effect[]
  readonly refused: readonly { readonly part: string; readonly failure: Failure }[]
  readonly created: readonly Sha256[]
}

type Part = Result<{ effects: readonly Effect[]; created?: readonly Sha256[] }, Failure>

/**
 * Turns a platform's event into events of the mission, blobs first: part by part, so that one that
 * is refused does not take the others with it. `source` is JSON with the call's output at `/output`.
 */
export async function prepareEffects(
  deps: EffectDeps,
  owner: Owner,
  view: View | null,
  event: PlatformEvent,
  source: string,
): Promise<Prepared> {
  const parts: [name: string, part: Part][] = []
  if (event.started !== null) parts.push(['context_started', told({ type: 'context_started' })])
  for (const name of GIVEN_ARTIFACTS) {
    const text = event.artifacts[name]
    if (text !== undefined) parts.push([name, await artifact(deps, owner, name, text)])
  }
  if (event.context !== null) parts.push(['context', await context(deps, owner, view, event)])
  if (event.call !== null) parts.push(['call', await call(deps, owner, view, event, source)])
  if (event.escalation !== null) parts.push(['escalation', await escalation(deps, event)])
  if (event.task_complete) parts.push(['task', told({ type: 'task_completed' })])
  if (event.phase !== null)
    parts.push(['phase', told({ type: 'phase_signalled', to: event.phase })])
  const { cause } = event
  if (event.boundary) parts.push(['boundary', told({ type: 'boundary_reached', cause })])
  return {
    effects: parts.flatMap(([, part]) => (part.ok ? part.value.effects : [])),
    created: parts.flatMap(([, part]) => (part.ok ? (part.value.created ?? []) : [])),
    refused: parts.flatMap(([name, part]) =>
      part.ok ? [] : [{ part: name, failure: part.error }],
    ),
  }
}

const told = (event: MissionEvent): Part => ok({ effects: [{ event }] })

async function artifact(
  deps: EffectDeps,
  owner: Owner,
  name: GivenArtifact,
  text: string,
): Promise<Part> {
  if (deps.memex === null) return err(failure('storage_not_configured'))
  if (!text.isWellFormed()) return err(failure('invalid_utf8'))
  const bytes = utf8(text)
  if (await holdsSecret(deps, bytes)) return err(failure('secret_detected'))
  const kept = await keepArtifact(deps.memex, owner, name, bytes, isoTime(deps.now()))
  const event = { type: 'artifact_given', artifact: kept.artifact } as const
  return ok({ effects: [{ event, artifact: name }], created: kept.created })
}

async function context(
  deps: EffectDeps,
  owner: Owner,
  view: View | null,
  { cause, context: report, during }: PlatformEvent,
): Promise<Part> {
  const body = parseInput(contract.report_context.body, { ...report, cause }, '/data')
  if (!body.ok) return body
  const source = JSON.stringify({ request: body.value.request ?? null })
  const at = isoTime(deps.now())
  const measured = await measureContext(deps, owner, { ...body.value, source }, at)
  if (!measured.ok) return measured
  const { event, sent } = measured.value
  const reported: Effect = { event, ...(during === null ? {} : { during }) }
  const proves =
    view !== null && sent !== null && (await provesContext(deps, owner, view.state, sent))
  return ok({
    effects: [reported, ...(proves ? [{ event: { type: 'context_proved' } as const }] : [])],
  })
}

/** A platform's webhook can't change the agent's messages, so nothing is masked by it. */
async function call(
  deps: EffectDeps,
  owner: Owner,
  view: View | null,
  { call: finished }: PlatformEvent,
  source: string,
): Promise<Part> {
  if (finished === null) return ok({ effects: [] })
  const turn = finished.turn ?? turnOf(view, finished.call_id)
  const at = isoTime(deps.now())
  const taken = await takeOutput(deps, owner, { ...finished, turn }, source, at)
  const { created, input_tokens, output } = taken
  const event = {
    type: 'observed',
    id: deps.newId(),
    output,
    input_tokens,
    usage: null,
    applies_no_edits: true,
  } as const
  return ok({ effects: [{ event }], created })
}

async function escalation(deps: EffectDeps, { escalation: fired }: PlatformEvent): Promise<Part> {
  const body = parseInput(contract.record_escalation.body, fired, '/data')
  if (!body.ok) return body
  const secrets = await clearEscalation(deps, body.value, '/data')
  if (secrets !== null) return err(secrets)
  return told({ type: 'escalated', escalation: escalationOf(body.value, deps.newId()) })
}

/** The turn of a call whose sender counts none: the one it had before, else the next. */
export function turnOf(view: View | null, call_id: string): number {
  const call = foundRecords(view, 'observed_call').find(({ key }) => key === call_id)?.body
  const { observed } = view?.state.context ?? FIRST_CONTEXT
  return call?.turn ?? observed.turn + 1
}
