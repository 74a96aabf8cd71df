import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { failure } from '../../../domain/failure.ts'
import type { Failure } from '../../../domain/failure.ts'
import { isoTime } from '../../../domain/identifier.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Result } from '../../../domain/result.ts'
import type { Deps, Missions, Owner } from '../../../ports.ts'
import { clearTexts } from '../../memex/scan-evidence.ts'
import { presentMission } from '../../missions/present-mission.ts'

/** A human's answer to an escalation; `follow_up` opens the child mission and names it. */
export const resolveEscalation: Operation<
  Contract['resolve_escalation'],
  Pick<Deps, 'missions' | 'loadSecrets' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const secrets = await clearTexts(deps, [['/note', body.note]])
  if (secrets !== null) return err(secrets)
  const owner = { tenant: caller.tenant, mission: params.mission }
  const lookups = [{ kind: 'escalation', keys: [params.id] }] as const
  const view = await presentMission(deps, owner, lookups)
  if (!view.ok) return view
  const [asked] = view.value.found
  if (asked === undefined) return err(failure('escalation_not_found'))
  // A child opens before the answer that names it: an answer that comes too late opens none.
  if (asked.body.resolution !== null) return err(failure('escalation_resolved'))
  const at = isoTime(deps.now())
  const follows = body.decision === 'follow_up'
  if (follows && view.value.state.folding.depth > 0) return err(failure('follow_up_too_deep'))
  const child = follows ? await openFollowUp(deps.missions, owner, params.id, at) : ok(null)
  if (!child.ok) return child
  const resolution = { decision: body.decision, note: body.note, at, child: child.value }
  const event = { type: 'escalation_resolved', id: params.id, resolution } as const
  const resolved = await deps.missions.applyAndRead({ ...owner, at, event }, lookups)
  if (!resolved.ok) {
    if (child.value !== null) await dropOrphan(deps.missions, owner, params.id, child.value, at)
    return resolved
  }
  const [record] = resolved.value.found
  if (record === undefined) return err(failure('escalation_not_found'))
  return ok(done({ ...record.body, ...(child.value === null ? {} : { child: child.value }) }))
}

/** The child's id follows from the escalation, so that a repeated answer opens the same one. */
async function openFollowUp(
  missions: Missions,
  owner: Owner,
  escalation: string,
  at: string,
): Promise<Result<string, Failure>> {
  const mission = `${owner.mission.slice(0, 48)}.f-${escalation.slice(0, 12)}`
  const event = { type: 'follow_up_opened', parent: owner.mission } as const
  const opened = await missions.apply({ tenant: owner.tenant, mission, at, event })
  return opened.ok ? ok(mission) : opened
}

/** Of two answers at once one counts: a child that it does not name is nobody's. */
async function dropOrphan(
  missions: Missions,
  owner: Owner,
  escalation: string,
  child: string,
  at: string,
): Promise<void> {
  const view = await missions.read(owner, [{ kind: 'escalation', keys: [escalation] }])
  const counted = view?.found[0]?.body
  if (counted?.resolution?.child === child) return
  await missions.apply({ tenant: owner.tenant, mission: child, at, event: { type: 'erased' } })
}
