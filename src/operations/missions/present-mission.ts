import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import type { RecordKind } from '../../domain/ledger/records.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Lookup, Owner, View } from '../../ports.ts'

/** A mission that is there to be read: never opened and erased answer the same. */
export async function presentMission<Kind extends RecordKind>(
  deps: Pick<Deps, 'missions'>,
  owner: Owner,
  lookups: readonly Lookup<Kind>[] = [],
): Promise<Result<View<Kind>, Failure>> {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const view = await deps.missions.read(owner, lookups)
  return view === null || view.state.status === 'erased'
    ? err(failure('mission_not_found'))
    : ok(view)
}
