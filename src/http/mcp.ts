import type { Context, Hono } from 'hono'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import { isIdentifier } from '../domain/identifier.ts'
import type { Deps } from '../ports.ts'
import { refused } from './answer.ts'
import { authenticate, isRevoked } from './authenticate.ts'

/** Which hosts and web origins may call: null for any host, as a deployed Worker's routes decide. */
export interface Neighbours {
  readonly hosts: readonly string[] | null
  readonly origins: readonly string[]
}

/**
 * The MCP endpoint, for the mission that the token names or `/mcp/{mission}`. The server behind it is
 * loaded with the first call, so that it costs nothing at startup.
 */
export function addMcp(app: Hono, deps: Deps, neighbours: Neighbours): void {
  const route = async (c: Context): Promise<Response> => {
    const stranger = strangerTo(neighbours, c.req.raw)
    if (stranger !== null) return refused(stranger)
    const caller = await authenticate(deps, c.req.header('authorization'))
    if (!caller.ok) return refused(caller.error)
    if (await isRevoked(deps, caller.value, true)) return refused(failure('token_revoked'))
    const mission = c.req.param('mission') ?? caller.value.mission ?? null
    if (mission !== null && !isIdentifier(mission)) return refused(failure('invalid_identifier'))
    const { serveMcp } = await import('../mcp/handler.ts')
    return serveMcp(deps, { caller: caller.value, mission }, c.req.raw)
  }
  app.all('/mcp', route)
  app.all('/mcp/:mission', route)
}

/** DNS rebinding: a page may not reach a server through a name or from a site that is not its own. */
function strangerTo({ hosts, origins }: Neighbours, request: Request): Failure | null {
  const { hostname, origin } = new URL(request.url)
  if (hosts !== null && !hosts.includes(hostname)) return failure('origin_not_allowed')
  const from = request.headers.get('origin')
  if (from === null || from === origin || origins.includes(from)) return null
  return failure('origin_not_allowed')
}
