import type { Logs, Memex, Owner } from '../../ports.ts'
import type { Next } from './due.ts'

/** Pages of 1,000 excerpts that one alarm deletes before it makes room for others. */
const PAGES_A_RUN = 20
/**
 * A writer that saw the mission alive may still put what it holds. No request lasts this long, and
 * copies at the edge are gone by then too.
 */
const SECOND_SWEEP_MS = 5 * 60_000

export interface ErasureStores {
  readonly memex: Memex | null
  readonly logs: Logs | null
}

/**
 * One run of a mission's erasure behind its tombstone: excerpts until the list is empty, then the
 * rows across missions; then all of it once more, some minutes later. Every part may be repeated, so
 * a run that fails is run again.
 */
export async function eraseStores(
  owner: Owner,
  { memex, logs }: ErasureStores,
  step: number,
  now: () => number,
): Promise<Next> {
  if (memex !== null && !(await emptied(memex, owner))) return { at: now(), step }
  await logs?.erase(owner)
  return step === 0 ? { at: now() + SECOND_SWEEP_MS, step: 1 } : null
}

/** What the object itself holds, apart from the tombstone. */
export function eraseTables(sql: SqlStorage): void {
  sql.exec('DELETE FROM records')
  sql.exec('DELETE FROM record_parts')
  sql.exec('DELETE FROM outbox')
}

async function emptied(memex: Memex, owner: Owner): Promise<boolean> {
  for (let page = 0; page < PAGES_A_RUN; page++) if (await memex.erase(owner)) return true
  return false
}
