import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { policyOf } from '../../domain/masking/policy.ts'
import { windowMissing } from '../../domain/meter/window.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { decisionAnswer, shownPercent } from './mask-answer.ts'
import { measured, planFor } from './prepare-mask.ts'
import { maskedView } from './read-masks.ts'
import { modelOf, readTranscript } from '../transcript/read-transcript.ts'

/** What a mask of this request would do, and why each result stays: nothing is stored or changed. */
export const planMask: Operation<
  Contract['plan_mask'],
  Pick<Deps, 'missions' | 'memex' | 'loadTokens'>
> = async (deps, { caller, params, body, source }) => {
  const transcript = await readTranscript(deps, body.request, body.format)
  if (!transcript.ok) return transcript
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await maskedView(deps, owner, transcript.value.reading.results)
  if (view?.state.status === 'erased') return err(failure('mission_erased'))
  const named = { model: modelOf(body.request), window_tokens: body.window_tokens }
  const policy = policyOf(view?.state.settings ?? {}, body.policy)
  const meter = measured(view, transcript.value, named)
  if (meter.reading === null && policy.trigger.type === 'percent') return err(windowMissing())
  const { planner } = planFor(deps, {
    transcript: transcript.value,
    source,
    policy,
    meter,
    view,
  })
  const plan = await planner(new Map())
  return ok(
    done({
      format: transcript.value.lens.name,
      masked: plan.masked,
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
