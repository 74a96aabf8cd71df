import type { HasContext } from '../../context/context-state.ts'
import type { Failure } from '../../failure.ts'
import { failure } from '../../failure.ts'
import type { FoldRow } from '../../log/row.ts'
import type { Core } from '../../mission/core.ts'
import type { Find, RecordWrite, StoredRecord } from '../../mission/record.ts'
import type { Step } from '../../mission/step.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import type { Verdict } from '../checks/verdict.ts'
import { withRatio } from '../judge/ratio.ts'
import type { Artifact, Artifacts } from './artifact.ts'
import { GIVEN_ARTIFACTS } from './artifact.ts'
import { escalate } from './escalation.ts'
import type { HasFold } from './folding.ts'
import { nextRound } from './folding.ts'
import type { FoldRecords, Judged } from './records.ts'

/** A fold that was judged, with what it was judged against. */
export interface Submission {
  readonly id: string
  readonly fold: Artifact
  readonly fold_sha256: string
  readonly prompt_sha256: string
  /** The documents that prompt and verdict were made from. */
  readonly artifacts: Artifacts
  readonly verdict: Verdict
  readonly refs: number
  readonly trajectory_tokens: number | null
}

/** The size of the trajectory of an accepted fold, in tokens. */
export interface Measurement {
  readonly fold_sha256: string
  readonly prompt_sha256: string
  readonly trajectory: number
}

export const submissionKey = (prompt_sha256: string, fold_sha256: string): string =>
  `${prompt_sha256}/${fold_sha256}`

/** The verdict that counts for a fold, of its records: one of an earlier round does not. */
export function judgedIn(
  { folding }: HasFold,
  found: readonly StoredRecord<FoldRecords, 'verdict'>[],
): Judged | null {
  const judged = found.map(({ body }) => body)
  return judged.find(({ round = 0 }) => round === folding.round) ?? null
}

/** Whether an accepted fold waits for nothing but the size of its trajectory. */
export const lacksRatio = ({ folding }: HasFold, fold_sha256: string): boolean =>
  folding.accepted?.fold_sha256 === fold_sha256 && folding.accepted.fold_ratio === null

/**
 * Takes a judged fold in, once: an accepted one is the mission's fold, a rejected one halts it. Of two
 * at once the first counts; the other hears `mission_halted` or `fold_already_accepted`.
 */
export function reduceSubmission<S extends Core & HasContext & HasFold>(
  state: S,
  submission: Submission,
  at: string,
  find: Find<FoldRecords>,
): Result<Step<S, FoldRecords>, Failure> {
  const key = submissionKey(submission.prompt_sha256, submission.fold_sha256)
  if (judgedIn(state, find('verdict', [key])) !== null) return ok({ state })
  const refusal = refusalOf(state, submission)
  if (refusal !== null) return err(refusal)
  const { verdict, fold } = submission
  const judged: Judged = {
    fold_sha256: submission.fold_sha256,
    prompt_sha256: submission.prompt_sha256,
    verdict,
    ref: fold.ref,
    id: submission.id,
    round: state.folding.round,
  }
  const records: RecordWrite<FoldRecords>[] = [{ kind: 'verdict', key, at, body: judged }]
  const outbox = [foldRow(state, submission, at)]
  if (verdict.accepted) {
    records.push({ kind: 'artifact', key: 'fold.md', at, body: fold })
    return ok({
      state: acceptedState(state, submission, at),
      records,
      outbox,
      told: [{ type: 'fold.accepted', data: { fold_sha256: submission.fold_sha256 } }],
    })
  }
  const halted = escalate(
    { ...state, fold: 'rejected' as const },
    {
      id: submission.id,
      trigger: 'fold_rejected',
      fired_at: at,
      on_probe: null,
      on_path: null,
      action_taken: 'halt',
      status: 'open',
      resolution: null,
    },
    at,
  )
  return ok({
    ...halted,
    records: [...records, ...(halted.records ?? [])],
    outbox: [...outbox, ...(halted.outbox ?? [])],
    told: [
      {
        type: 'fold.rejected',
        data: { fold_sha256: submission.fold_sha256, failed: failed(verdict) },
      },
      ...(halted.told ?? []),
    ],
  })
}

/** The ratio of an accepted fold that was judged while nobody knew the size of its trajectory. */
export function reduceMeasurement<S extends Core & HasFold>(
  state: S,
  { fold_sha256, prompt_sha256, trajectory }: Measurement,
  find: Find<FoldRecords>,
): Step<S, FoldRecords> {
  const { accepted } = state.folding
  const found = find('verdict', [submissionKey(prompt_sha256, fold_sha256)])
  const judged = judgedIn(state, found)
  if (accepted === null || judged === null || !lacksRatio(state, fold_sha256)) return { state }
  const verdict = withRatio(judged.verdict, trajectory)
  const { fold_ratio = null } = verdict
  const row = { id: judged.id ?? fold_sha256, verdict, trajectory_tokens: trajectory }
  return {
    state: { ...state, folding: { ...state.folding, accepted: { ...accepted, fold_ratio } } },
    records: found.map(({ at, key, kind }) => ({ kind, key, at, body: { ...judged, verdict } })),
    outbox: [foldRow(state, row, accepted.at)],
  }
}

/** Why a mission takes no fold now: the contract allows no second one, nor one from other inputs. */
export function refusalOf(
  state: Core & HasFold,
  { artifacts }: Pick<Submission, 'artifacts'>,
): Failure | null {
  if (state.status === 'halted') return failure('mission_halted')
  if (state.status === 'completed') return failure('mission_completed')
  if (state.fold === 'accepted') return failure('fold_already_accepted')
  const stale = GIVEN_ARTIFACTS.some(
    (name) => state.folding.artifacts[name]?.ref !== artifacts[name]?.ref,
  )
  return stale ? failure('prompt_stale') : null
}

/** A mission whose accepted fold no longer counts: the gate is open again, and so is the way to it. */
export function withdrawn<S extends HasFold>(state: S): S {
  const artifacts = withoutFold(state.folding.artifacts)
  const folding = { ...nextRound(state.folding), artifacts, accepted: null, proved_at: null }
  return { ...state, fold: 'none', folding }
}

const withoutFold = ({ 'fold.md': _, ...given }: Artifacts): Artifacts => given

function acceptedState<S extends HasContext & HasFold>(
  state: S,
  submission: Submission,
  at: string,
): S {
  const { verdict, fold, fold_sha256, prompt_sha256, refs } = submission
  const sections = verdict.checks.some(({ id, passed }) => id === 'sections_in_order' && passed)
  const { rules_version } = verdict
  const fold_ratio = verdict.fold_ratio ?? null
  const due = state.context.extracts_due.map(({ call_id }) => call_id)
  const reported = due.filter((call_id) => call_id !== '')
  const judged = { fold_sha256, prompt_sha256, rules_version, sections, refs, fold_ratio, at }
  const artifacts = { ...state.folding.artifacts, 'fold.md': fold }
  const accepted = { ...judged, reported }
  const folding = { ...state.folding, artifacts, accepted, proved_at: null }
  return { ...state, fold: 'accepted', folding }
}

const failed = (verdict: Verdict): readonly string[] =>
  verdict.checks.filter(({ passed }) => !passed).map(({ id }) => id)

const foldRow = (
  { tenant, mission }: Core,
  { id, verdict, trajectory_tokens }: Pick<Submission, 'id' | 'verdict' | 'trajectory_tokens'>,
  at: string,
): FoldRow => ({
  table: 'folds',
  tenant,
  mission,
  id,
  at,
  accepted: verdict.accepted ? 1 : 0,
  fold_tokens: verdict.tokens.fold ?? 0,
  trajectory_tokens,
  fold_ratio: verdict.fold_ratio ?? null,
})
