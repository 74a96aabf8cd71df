import type { HasContext } from '../../context/context-state.ts'
import type { Failure } from '../../failure.ts'
import { failure } from '../../failure.ts'
import type { Core } from '../../mission/core.ts'
import type { Phase } from '../../mission/phases.ts'
import type { Find } from '../../mission/record.ts'
import type { Step } from '../../mission/step.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import type { Artifact } from './artifact.ts'
import { escalate, resolve } from './escalation.ts'
import type { Escalation, Resolution } from './escalation.ts'
import type { HasFold } from './folding.ts'
import { hasLeftAbstract, movePhase } from './phase.ts'
import type { FoldRecords } from './records.ts'
import { reduceMeasurement, reduceSubmission, withdrawn } from './submission.ts'
import type { Measurement, Submission } from './submission.ts'
import { spendToolCall } from './tool-budget.ts'

export type FoldEvent =
  | { readonly type: 'artifact_given'; readonly artifact: Artifact }
  | ({ readonly type: 'fold_submitted' } & Submission)
  | ({ readonly type: 'fold_measured' } & Measurement)
  | { readonly type: 'context_proved' }
  | { readonly type: 'phase_moved'; readonly to: Phase }
  | { readonly type: 'tool_called' }
  | { readonly type: 'escalated'; readonly escalation: Escalation }
  | { readonly type: 'escalation_resolved'; readonly id: string; readonly resolution: Resolution }
  | { readonly type: 'follow_up_opened'; readonly parent: string }

/** How documents, folds, phases and escalations change a mission. */
export function reduceFold<S extends Core & HasContext & HasFold>(
  state: S,
  event: FoldEvent,
  at: string,
  find: Find<FoldRecords>,
): Result<Step<S, FoldRecords>, Failure> {
  switch (event.type) {
    case 'artifact_given':
      return ok(given(state, event.artifact, at))
    case 'fold_submitted':
      return reduceSubmission(state, event, at, find)
    case 'fold_measured':
      return ok(reduceMeasurement(state, event, find))
    case 'context_proved':
      // The fold may have been withdrawn since the proof was looked at.
      if (state.folding.accepted === null) return ok({ state })
      return ok({ state: { ...state, folding: { ...state.folding, proved_at: at } } })
    case 'phase_moved':
      return movePhase(state, event.to)
    case 'tool_called':
      return spendToolCall(state)
    case 'escalated':
      return escalated(state, event.escalation, at)
    case 'escalation_resolved': {
      const [record] = find('escalation', [event.id])
      if (record === undefined) return err(failure('escalation_not_found'))
      return resolve(state, record.body, event.resolution)
    }
    case 'follow_up_opened': {
      const settings = { ...state.settings, parent: event.parent }
      return ok({ state: { ...state, settings, folding: { ...state.folding, depth: 1 } } })
    }
  }
}

/** A mission that is over can't be halted: it would be alive again as soon as a human resumed it. */
function escalated<S extends Core & HasFold>(
  state: S,
  escalation: Escalation,
  at: string,
): Result<Step<S, FoldRecords>, Failure> {
  return state.status === 'completed' && escalation.status === 'open'
    ? err(failure('mission_completed'))
    : ok(escalate(state, escalation, at))
}

/**
 * A document's new bytes; the same again change nothing. They withdraw a fold that was made from
 * others, unless the mission has left abstract with it.
 */
function given<S extends Core & HasFold>(
  state: S,
  artifact: Artifact,
  at: string,
): Step<S, FoldRecords> {
  if (state.folding.artifacts[artifact.name]?.ref === artifact.ref) return { state }
  const proven = state.fold === 'accepted' && !hasLeftAbstract(state.phase)
  const before = proven ? withdrawn(state) : state
  const artifacts = { ...before.folding.artifacts, [artifact.name]: artifact }
  return {
    state: { ...before, folding: { ...before.folding, artifacts } },
    records: [{ kind: 'artifact', key: artifact.name, at, body: artifact }],
    ...(proven ? { told: [{ type: 'fold.withdrawn', data: { artifact: artifact.name } }] } : {}),
  }
}
