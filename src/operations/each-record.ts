import type { MissionRecord, RecordKind } from '../domain/ledger/records.ts'
import type { Missions, Owner } from '../ports.ts'

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
