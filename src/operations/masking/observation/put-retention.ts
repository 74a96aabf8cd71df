import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import { isoTime } from '../../../domain/identifier.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps } from '../../../ports.ts'

/** Records whether one tool call's output stays; the last decision counts. */
export const putRetention: Operation<
  Contract['put_retention'],
  Pick<Deps, 'missions' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const turn = Number(params.turn)
  const { call_id } = params
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: isoTime(deps.now()),
    event: { type: 'retained', turn, call_id, decision: body.decision },
  })
  return state.ok ? ok(done({ turn, call_id, decision: body.decision })) : state
}
