import type { Context } from 'hono'

/** The subprotocol of the events; what is sent are JSON texts, one an event. */
export const EVENTS_PROTOCOL = 'foldex.v1'
const BEARER_PROTOCOL = 'bearer.'

/** Whether a request asks for a WebSocket (RFC 6455 section 4.1). */
export const asksForSocket = (c: Context): boolean =>
  c.req.header('upgrade')?.toLowerCase() === 'websocket'

/**
 * The credentials of a request. A browser can't set headers on a WebSocket, and a token has no place
 * in a URL: it may offer `bearer.<token>` as a subprotocol beside `foldex.v1`.
 */
export function authorizationOf(c: Context): string | undefined {
  const header = c.req.header('authorization')
  if (header !== undefined || !asksForSocket(c)) return header
  const offered = offeredProtocols(c).find((protocol) => protocol.startsWith(BEARER_PROTOCOL))
  return offered && `Bearer ${offered.slice(BEARER_PROTOCOL.length)}`
}

export const offeredProtocols = (c: Context): readonly string[] =>
  (c.req.header('sec-websocket-protocol') ?? '').split(',').map((one) => one.trim())
