import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { isoTime } from '../../domain/identifier.ts'
import { applyPlan } from '../../domain/masking/plan/apply.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { removeIfErased } from '../memex/remove-if-erased.ts'
import { ROOT } from '../transcript/read-transcript.ts'
import { applyMask } from './apply-mask.ts'
import { maskAnswer } from './mask-answer.ts'
import { prepareMask } from './prepare-mask.ts'
import { storePlan } from './store-plan.ts'

type MaskDeps = Pick<
  Deps,
  'missions' | 'memex' | 'loadTokens' | 'loadSecrets' | 'repeated' | 'now' | 'newId' | 'report'
>

/**
 * Masks old tool outputs: what was masked stays masked, then plan, store what leaves, verify, replace,
 * log, answer, in this order. With an object two round trips to it; without one the policy is the
 * call's and the log is the answer.
 */
export const mask: Operation<Contract['mask'], MaskDeps> = async (deps, call) => {
  const { caller, params, body, source } = call
  const owner = { tenant: caller.tenant, mission: params.mission }
  const at = isoTime(deps.now())
  const prepared = await prepareMask(deps, owner, { ...body, source }, at)
  if (!prepared.ok) return prepared
  const { plan, created } = await storePlan(deps, owner, prepared.value.planner, at)
  const applied = applyPlan(source, ROOT, plan)
  const log = await applyMask(deps, owner, at, prepared.value, plan)
  await removeIfErased(deps, owner, created, log)
  if (!log.ok) return log
  return ok(done(maskAnswer(deps, { body, plan, applied, prepared: prepared.value, ...log.value })))
}
