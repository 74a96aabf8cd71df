import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Call, Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import type { Failure } from '../../../domain/failure.ts'
import type { Escalation } from '../../../domain/fold/lifecycle/escalation.ts'
import { isoTime } from '../../../domain/identifier.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps } from '../../../ports.ts'
import { clearTexts } from '../../memex/scan-evidence.ts'

/** Writes down that a declared trigger fired; one that says `halt` halts the mission. */
export const recordEscalation: Operation<
  Contract['record_escalation'],
  Pick<Deps, 'missions' | 'loadSecrets' | 'now' | 'newId'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const secrets = await clearEscalation(deps, body)
  if (secrets !== null) return err(secrets)
  const escalation = escalationOf(body, deps.newId())
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: isoTime(deps.now()),
    event: { type: 'escalated', escalation },
  })
  return state.ok ? ok(done({ ...escalation, resolution: null }, 'created')) : state
}

type Fired = Call<Contract['record_escalation']>['body']

/** Refuses a fired trigger that holds a secret; `at` is the pointer to it. */
export const clearEscalation = (
  deps: Pick<Deps, 'loadSecrets'>,
  { on_path, on_probe, trigger }: Fired,
  at = '',
): Promise<Failure | null> =>
  clearTexts(deps, [
    [`${at}/trigger`, trigger],
    [`${at}/on_probe`, on_probe],
    [`${at}/on_path`, on_path],
  ])

/** A fired trigger as it is written down. */
export const escalationOf = (fired: Fired, id: string): Escalation => ({
  id,
  trigger: fired.trigger,
  fired_at: fired.fired_at,
  on_probe: fired.on_probe ?? null,
  on_path: fired.on_path ?? null,
  action_taken: fired.action_taken,
  status: fired.action_taken === 'halt' ? 'open' : 'recorded',
  resolution: null,
})
