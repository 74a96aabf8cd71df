import type { MissionRecord, RecordKind } from '../domain/ledger/records.ts'
import type { Missions, Owner } from '../ports.ts'
import { foundRecords } from './found-records.ts'

/** How many records one round trip brings. */
const PAGE = 500

/** All records of a kind in their order, a page at a time. */
export async function* eachRecord<Kind extends RecordKind>(
  missions: Missions,
  owner: Owner,
  kind: Kind,
): AsyncGenerator<MissionRecord<Kind>> {
  let cursor: string | undefined
  do {
    const page = await missions.page(owner, kind, { limit: PAGE, cursor })
    yield* page.items
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}

/** Those that have one of these keys. */
export async function* eachFound<Kind extends RecordKind>(
  missions: Missions,
  owner: Owner,
  kind: Kind,
  keys: readonly string[],
): AsyncGenerator<MissionRecord<Kind>> {
  for (let from = 0; from < keys.length; from += PAGE) {
    const some = keys.slice(from, from + PAGE)
    yield* foundRecords(await missions.read(owner, [{ kind, keys: some }]), kind)
  }
}
