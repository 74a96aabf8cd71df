import { formatCursor } from '../../domain/cursor.ts'
import type { HooksRecords } from '../../domain/hooks/records.ts'
import type { RecordWrite } from '../../domain/mission/record.ts'
import type { Page, Revocations, Watcher } from '../../ports.ts'
import { pageRecords } from './records.ts'

const BACKLOG_PAGE = 500
/** RFC 6455 section 7.4.1: the reader may not read on. */
const POLICY_VIOLATION = 1008
const NORMAL = 1000
/** RFC 6455 registry: the server could not go on, the reader should connect again. */
const TRY_AGAIN = 1013

/** How the request of a socket says who reads; nobody but the Worker can call the object. */
export const WATCHER_HEADER = 'x-foldex-watcher'

/** The sockets that read a mission's events. They outlive the object's memory: it hibernates. */
export interface LiveSockets {
  /** Opens a socket; with `after`, what was told since that record comes first. */
  open(watcher: Watcher): Response
  tell(events: readonly Told[]): void
  closeAll(reason: string): void
}

export function createLiveSockets(
  ctx: DurableObjectState,
  revocations: () => Revocations | null,
  now: () => number,
): LiveSockets {
  // One after the other, so that the events of two changes keep their order.
  let told: Promise<void> = Promise.resolve()
  ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'))

  const send = async (socket: WebSocket, events: readonly Told[]): Promise<void> => {
    const reader = socket.deserializeAttachment() as Reader
    if (!(await mayRead(reader.watcher, revocations(), now())))
      return socket.close(POLICY_VIOLATION, 'token not valid any more')
    // A socket that was opened while these waited has had them, or was not there when they happened.
    const fresh = events.filter(({ key }) => isAfter(key, reader.last))
    for (const event of fresh) socket.send(message(event))
    const last = fresh.at(-1)?.key
    if (last !== undefined) socket.serializeAttachment({ ...reader, last } satisfies Reader)
  }
  /** A reader that can't be reached, or checked, keeps no other from its events: it comes back. */
  const sendAll = async (events: readonly Told[]): Promise<void> => {
    for (const socket of ctx.getWebSockets())
      await send(socket, events).catch(() => socket.close(TRY_AGAIN, 'try again'))
  }

  return {
    open: (watcher) => {
      const { 0: client, 1: server } = new WebSocketPair()
      ctx.acceptWebSocket(server)
      const [newest] = pageRecords(ctx.storage.sql, 'event', { limit: 1, reverse: true }).items
      server.serializeAttachment({ watcher, last: newest?.key ?? null } satisfies Reader)
      for (const message of backlog(ctx.storage.sql, watcher.after)) server.send(message)
      return new Response(null, {
        status: 101,
        webSocket: client,
        headers: watcher.protocol === null ? {} : { 'sec-websocket-protocol': watcher.protocol },
      })
    },
    tell: (events) => {
      if (events.length === 0 || ctx.getWebSockets().length === 0) return
      told = told.then(() => sendAll(events))
      ctx.waitUntil(told)
    },
    closeAll: (reason) => {
      for (const socket of ctx.getWebSockets()) socket.close(NORMAL, reason)
    },
  }
}

type Told = RecordWrite<HooksRecords, 'event'>

/** What a socket remembers while the object sleeps. */
interface Reader {
  readonly watcher: Watcher
  /** The id of the newest event that it has, or that happened before it was opened. */
  readonly last: string | null
}

/** Whether an event came after another; their ids are two numbers each, and only grow. */
function isAfter(id: string, other: string | null): boolean {
  const [version = 0, place = 0] = id.split('-').map(Number)
  const [known = -1, last = -1] = other?.split('-').map(Number) ?? []
  return version > known || (version === known && place > last)
}

/** An event as a socket and a page show it. */
const message = ({ key, body }: Told): string => JSON.stringify({ id: key, ...body })

function* backlog(sql: SqlStorage, after: number | null): Generator<string> {
  if (after === null) return
  let cursor: string | null = formatCursor([after])
  while (cursor !== null) {
    const page: Page<Told> = pageRecords(sql, 'event', { cursor, limit: BACKLOG_PAGE })
    yield* page.items.map(message)
    cursor = page.next_cursor
  }
}

/** A socket lives no longer than its token; a revoked one is found out within a minute. */
async function mayRead(
  { tenant, jtis, exp }: Watcher,
  revocations: Revocations | null,
  now: number,
): Promise<boolean> {
  if (exp * 1000 <= now) return false
  return revocations === null || !(await revocations.anyRevoked(tenant, jtis, false))
}
