import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Call, Operation } from '../contract/operation.ts'
import { failure } from '../domain/failure.ts'
import type { Escalation } from '../domain/fold/escalation.ts'
import { isoTime } from '../domain/identifier.ts'
import { err, ok } from '../domain/result.ts'
import type { Deps } from '../ports.ts'

/** Writes down that a declared trigger fired; one that says `halt` halts the mission. */
export const recordEscalation: Operation<
  Contract['record_escalation'],
  Pick<Deps, 'missions' | 'now' | 'newId'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const escalation = escalationOf(body, deps.newId())
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: isoTime(deps.now()),
    event: { type: 'escalated', escalation },
  })
  return state.ok ? ok(done({ ...escalation, resolution: null }, 'created')) : state
}

/** A fired trigger as it is written down. */
export const escalationOf = (
  fired: Call<Contract['record_escalation']>['body'],
  id: string,
): Escalation => ({
  id,
  trigger: fired.trigger,
  fired_at: fired.fired_at,
  on_probe: fired.on_probe ?? null,
  on_path: fired.on_path ?? null,
  action_taken: fired.action_taken,
  status: fired.action_taken === 'halt' ? 'open' : 'recorded',
  resolution: null,
})
