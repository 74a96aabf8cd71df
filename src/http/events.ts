import type { Context } from 'hono'
import type { Contract } from '../contract/contract.ts'
import type { Call } from '../contract/operation.ts'
import { failure } from '../domain/failure.ts'
import { eventSequence } from '../operations/hooks/list-events.ts'
import type { Deps } from '../ports.ts'
import { refused } from './answer.ts'
import { EVENTS_PROTOCOL, offeredProtocols } from './socket-protocol.ts'

/** The events of a mission as a WebSocket: those after `after`, then those that come. */
export async function serveEvents(
  deps: Pick<Deps, 'missions'>,
  c: Context,
  call: Call<Contract['list_events']>,
): Promise<Response> {
  if (deps.missions === null) return refused(failure('storage_not_configured'))
  const after = await eventSequence(deps, call)
  if (!after.ok) return refused(after.error)
  const { exp, jti, parents = [], tenant } = call.caller
  const opened = await deps.missions.watch(
    { tenant, mission: call.params.mission },
    {
      tenant,
      jtis: [jti, ...parents],
      exp,
      after: after.value,
      protocol: offeredProtocols(c).includes(EVENTS_PROTOCOL) ? EVENTS_PROTOCOL : null,
    },
  )
  // What comes from the object has headers that can't be changed; the frame adds some.
  return new Response(null, opened)
}
