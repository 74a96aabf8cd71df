import type { Deps, Owner } from '../../../ports.ts'
import { eachRecord } from '../../each-record.ts'

/** The triggers that the mission recorded as fired, beside those that findings.md logs. */
export async function firedTriggers(
  deps: Pick<Deps, 'missions'>,
  owner: Owner,
): Promise<readonly string[]> {
  const triggers = new Set<string>()
  if (deps.missions === null) return []
  for await (const { body } of eachRecord(deps.missions, owner, 'escalation'))
    triggers.add(body.trigger)
  // A rejected fold is an escalation too, but no trigger of mission.md.
  triggers.delete('fold_rejected')
  return [...triggers]
}
