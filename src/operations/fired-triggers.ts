import type { Escalation } from '../domain/fold/escalation.ts'
import type { Deps, Owner } from '../ports.ts'

/** The triggers that the mission recorded as fired, beside those that findings.md logs. */
export async function firedTriggers(
  deps: Pick<Deps, 'missions'>,
  owner: Owner,
): Promise<readonly string[]> {
  const page = await deps.missions?.page(owner, 'escalation', { limit: 1000 })
  const escalations = page?.items.map((record) => record.body as Escalation) ?? []
  // A rejected fold is an escalation too, but no trigger of mission.md.
  return escalations.map((one) => one.trigger).filter((trigger) => trigger !== 'fold_rejected')
}
