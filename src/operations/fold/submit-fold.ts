import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Answer, Operation } from '../../contract/operation.ts'
import { utf8 } from '../../domain/bytes.ts'
import { formatRef, sha256 } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Verdict } from '../../domain/fold/checks/verdict.ts'
import { validateFold } from '../../domain/fold/judge/validate.ts'
import { foldPrompt } from '../../domain/fold/lifecycle/prompt.ts'
import {
  judgedIn,
  lacksRatio,
  refusalOf,
  submissionKey,
} from '../../domain/fold/lifecycle/submission.ts'
import { isoTime } from '../../domain/identifier.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, View } from '../../ports.ts'
import { removeIfErased } from '../memex/remove-if-erased.ts'
import { resolveRefs } from '../memex/resolve-refs.ts'
import { clearTexts } from '../memex/scan-evidence.ts'
import { presentMission } from '../missions/present-mission.ts'
import { readSources } from './artifacts/read-artifact.ts'
import { firedTriggers } from './escalations/fired-triggers.ts'

type SubmitDeps = Pick<
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

/**
 * Judges a fold and, once, lets the verdict count. The same bytes from the same prompt hear the same
 * verdict again; a rejected fold halts the mission, and another one is not taken. An accepted one may
 * come again to bring the size of its trajectory.
 */
export const submitFold: Operation<Contract['submit_fold'], SubmitDeps> = async (deps, call) => {
  const { caller, params, body } = call
  if (deps.missions === null || deps.memex === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const bytes = utf8(body.fold)
  const fold_sha256 = await sha256(bytes)
  const verdicts = [
    { kind: 'verdict', keys: [submissionKey(body.prompt_sha256, fold_sha256)] },
  ] as const
  const view = await presentMission(deps, owner, verdicts)
  if (!view.ok) return view
  const { state } = view.value
  const { artifacts, locate_tokens } = state.folding
  const trajectory = body.trajectory_tokens ?? locate_tokens
  const known = judgedIn(state, view.value.found)
  if (known !== null) {
    if (trajectory === null || !lacksRatio(state, fold_sha256)) return answerOf(known.verdict)
    const { prompt_sha256 } = body
    const event = { type: 'fold_measured', fold_sha256, prompt_sha256, trajectory } as const
    const at = isoTime(deps.now())
    const measured = await deps.missions.applyAndRead({ ...owner, at, event }, verdicts)
    return measured.ok ? answerOf(judgedAfter(measured.value) ?? known.verdict) : measured
  }
  const refusal = refusalOf(state, { artifacts })
  if (refusal !== null) return err(refusal)

  const secrets = await clearTexts(deps, [['/fold', body.fold]])
  if (secrets !== null) return err(secrets)
  const sources = await readSources(deps, owner, artifacts)
  if (!sources.ok) return sources
  if ((await sha256(utf8(foldPrompt(sources.value)))) !== body.prompt_sha256)
    return err(failure('prompt_stale'))
  const refs = await resolveRefs(deps, owner, sources.value.findings_md)
  const verdict = validateFold({
    mission_md: sources.value.mission_md,
    findings_md: sources.value.findings_md,
    fold_md: body.fold,
    count: await deps.loadTokens(),
    recorded_triggers: await firedTriggers(deps, owner),
    resolved_refs: refs,
    ...(trajectory === null ? {} : { trajectory_tokens: trajectory }),
  })

  const at = isoTime(deps.now())
  const put = await deps.memex.put(owner, fold_sha256, bytes, {
    kind: 'artifact',
    source: 'fold.md',
    stored_at: at,
  })
  const applied = await deps.missions.applyAndRead(
    {
      ...owner,
      at,
      event: {
        type: 'fold_submitted',
        id: deps.newId(),
        fold: { name: 'fold.md', ref: formatRef(fold_sha256), bytes: bytes.length },
        fold_sha256,
        prompt_sha256: body.prompt_sha256,
        artifacts,
        verdict,
        refs: refs.size,
        trajectory_tokens: trajectory,
      },
    },
    verdicts,
  )
  await removeIfErased(deps, owner, put === 'created' ? [fold_sha256] : [], applied)
  if (!applied.ok) return applied
  // Of two at once the first verdict counts, also for the second.
  return answerOf(judgedAfter(applied.value) ?? verdict)
}

const judgedAfter = ({ found, state }: View<'verdict'>): Verdict | undefined =>
  judgedIn(state, found)?.verdict

const answerOf = (verdict: Verdict): Result<Answer<Verdict>, Failure> =>
  verdict.accepted
    ? ok(done(verdict))
    : err(
        failure('fold_rejected', {
          detail: `failed: ${failedChecks(verdict).join(', ')}`,
          members: { verdict },
        }),
      )

const failedChecks = (verdict: Verdict): readonly string[] =>
  verdict.checks.filter((check) => !check.passed).map((check) => check.id)
