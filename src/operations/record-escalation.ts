import type { Contract } from '../contract/contract.ts'
import { done } from '../contract/operation.ts'
import type { Operation } from '../contract/operation.ts'
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
  const escalation: Escalation = {
    id: deps.newId(),
    trigger: body.trigger,
    fired_at: body.fired_at,
    on_probe: body.on_probe ?? null,
    on_path: body.on_path ?? null,
    action_taken: body.action_taken,
    status: body.action_taken === 'halt' ? 'open' : 'recorded',
    resolution: null,
  }
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: isoTime(deps.now()),
    event: { type: 'escalated', escalation },
  })
  return state.ok ? ok(done({ ...escalation, resolution: null }, 'created')) : state
}
