import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { isoTime } from '../../domain/identifier.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { decisionAnswer, shownPercent } from './mask-answer.ts'
import { prepareMask } from './prepare-mask.ts'

/** What a mask of this request would do, and why each result stays: nothing is stored or changed. */
export const planMask: Operation<
  Contract['plan_mask'],
  Pick<Deps, 'missions' | 'memex' | 'loadTokens' | 'now'>
> = async (deps, { caller, params, body, source }) => {
  const owner = { tenant: caller.tenant, mission: params.mission }
  const prepared = await prepareMask(deps, owner, { ...body, source }, isoTime(deps.now()))
  if (!prepared.ok) return prepared
  const plan = await prepared.value.planner(new Map())
  return ok(
    done({
      format: prepared.value.seen.lens.name,
      masked: plan.masked,
      masked_before: prepared.value.masks.masked.size,
      saved_tokens: plan.saved_tokens,
      decisions: plan.decisions.map(decisionAnswer),
      context: {
        before: shownPercent(plan.percent_before),
        after: shownPercent(plan.percent_after),
      },
      storage: plan.storage,
    }),
  )
}
