import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { formatCursor } from '../../domain/cursor.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { presentMission } from '../missions/present-mission.ts'

type Row = Contract['list_events']

/** What happened to a mission since an event, oldest first; from the beginning without one. */
export const listEvents: Operation<Row, Pick<Deps, 'missions'>> = async (deps, call) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const after = await eventSequence(deps, call)
  if (!after.ok) return after
  const owner = { tenant: call.caller.tenant, mission: call.params.mission }
  const { cursor, limit } = call.query
  const from = after.value === null ? cursor : (cursor ?? formatCursor([after.value]))
  const page = await deps.missions.page(owner, 'event', { cursor: from, limit })
  const items = page.items.map(({ key, body }) => {
    const { data, timestamp, type } = body
    return { id: key, type, timestamp, data: { ...data } }
  })
  return ok(done({ items, next_cursor: page.next_cursor }))
}

/** Where `after` stands among the mission's records; null where the call names none. */
export async function eventSequence(
  deps: Pick<Deps, 'missions'>,
  { caller, params, query }: Pick<Call<Row>, 'caller' | 'params' | 'query'>,
): Promise<Result<number | null, Failure>> {
  const owner = { tenant: caller.tenant, mission: params.mission }
  const keys = query.after === undefined ? [] : [query.after]
  const present = await presentMission(deps, owner, [{ kind: 'event', keys }])
  if (!present.ok) return present
  if (query.after === undefined) return ok(null)
  const [event] = present.value.found
  const errors = [{ pointer: '/query/after', detail: 'no such event' }]
  return event === undefined ? err(failure('invalid_input', { errors })) : ok(event.seq)
}
