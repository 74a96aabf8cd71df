import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { AnswerBody, Operation } from '../../contract/operation.ts'
import { formatCursor } from '../../domain/cursor.ts'
import { failure } from '../../domain/failure.ts'
import type { MissionRecord } from '../../domain/ledger/records.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { presentMission } from '../missions/present-mission.ts'

/** Records that one call looks through for a state; the cursor goes on from there. */
const PAGE = 1000

/** The webhooks of a mission, oldest first; of one state where the call names it. */
export const listDeliveries: Operation<
  Contract['list_deliveries'],
  Pick<Deps, 'missions'>
> = async (deps, { caller, params, query }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const present = await presentMission(deps, owner)
  if (!present.ok) return present
  const { cursor, limit, state } = query
  const size = state === undefined ? limit : PAGE
  const page = await deps.missions.page(owner, 'delivery', { cursor, limit: size })
  const wanted = page.items.filter(({ body }) => state === undefined || body.state === state)
  const items = wanted.slice(0, limit)
  const last = items.at(-1)
  const next_cursor =
    wanted.length > items.length && last !== undefined ? formatCursor([last.seq]) : page.next_cursor
  return ok(done({ items: items.map(deliveryAnswer), next_cursor }))
}

/** A delivery as it is shown: all but where it goes. */
export function deliveryAnswer({
  key,
  body,
}: MissionRecord<'delivery'>): AnswerBody<Contract['resend_delivery']> {
  const { endpoint, event, last, message, next_at, state, tries } = body
  return {
    id: key,
    endpoint,
    message,
    event: { ...event, data: { ...event.data } },
    state,
    tries,
    next_at,
    last: last === null ? null : { ...last },
  }
}
