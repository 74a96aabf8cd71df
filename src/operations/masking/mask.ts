import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { windowMissing } from '../../domain/meter/window.ts'
import { policyOf } from '../../domain/masking/policy.ts'
import { applyPlan } from '../../domain/masking/plan/apply.ts'
import { maskRecords } from '../../domain/masking/plan/settle.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { maskAnswer } from './mask-answer.ts'
import { logged } from './apply-mask.ts'
import { measured, planFor } from './prepare-mask.ts'
import { maskedView } from './read-masks.ts'
import { modelOf, readTranscript, ROOT } from '../transcript/read-transcript.ts'
import { storePlan } from './store-plan.ts'

type MaskDeps = Pick<
  Deps,
  'missions' | 'memex' | 'loadTokens' | 'loadSecrets' | 'now' | 'newId' | 'report'
>

/**
 * Masks old tool outputs: plan, store what leaves, verify, replace, log, answer, in this order. With
 * an object two round trips to it; without one the policy is the call's and the log is the answer.
 */
export const mask: Operation<Contract['mask'], MaskDeps> = async (deps, call) => {
  const { caller, params, body, source } = call
  const transcript = await readTranscript(deps, body.request, body.format)
  if (!transcript.ok) return transcript
  const owner = { tenant: caller.tenant, mission: params.mission }
  const { results } = transcript.value.reading
  const view = await maskedView(deps, owner, results)
  if (view?.state.status === 'erased') return err(failure('mission_erased'))

  const named = { model: modelOf(body.request), window_tokens: body.window_tokens }
  const policy = policyOf(view?.state.settings ?? {}, body.policy)
  const meter = measured(view, transcript.value, named)
  if (meter.reading === null && policy.trigger.type === 'percent') return err(windowMissing())

  const at = isoTime(deps.now())
  const planned = planFor(deps, { transcript: transcript.value, source, policy, meter, view })
  const { plan, created } = await storePlan(deps, owner, planned.planner, at)
  const applied = applyPlan(source, ROOT, plan)
  const log = await logged(deps, owner, at, {
    plan,
    masks: maskRecords(plan),
    transcript: transcript.value,
    meter,
    named,
    planned,
  })
  if (!log.ok) {
    // Erased meanwhile: what this call stored must not survive the mission.
    for (const digest of created) await deps.memex?.remove(owner, digest)
    return log
  }
  return ok(
    done(maskAnswer(deps, { body, plan, applied, transcript: transcript.value, ...log.value })),
  )
}
