import { createServer, request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Proxy {
  readonly url: string
  readonly close: () => Promise<void>
}

/** What the proxy asks for in place of a tool, a resource or a prompt that only test servers have. */
export type StandIns = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * Passes requests on to the Worker with a token, since the conformance suite has no way to send one,
 * and with stand-ins for what the suite wants a server to have. Host and Origin stay as they were
 * sent: they are what it tests.
 */
export async function startProxy(
  target: string,
  token: string,
  standIns: StandIns,
): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const server = createServer(async (incoming, outgoing) => {
    const sent = replaced(incoming, await bodyOf(incoming), standIns)
    const headers = { ...sent.headers, authorization: `Bearer ${token}` }
    const { method, url: path } = incoming
    const forwarded = request({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    forwarded.on('error', () => outgoing.writeHead(502).end())
    forwarded.end(sent.body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function replaced(incoming: IncomingMessage, body: Buffer, standIns: StandIns) {
  const { headers } = incoming
  const message = parsed(body)
  const wanted = message?.params?.name ?? message?.params?.uri
  const standIn = wanted === undefined ? undefined : standIns[wanted]
  if (standIn === undefined) return { headers, body }
  const changed = Buffer.from(
    JSON.stringify({ ...message, params: { ...message?.params, ...standIn } }),
  )
  // The 2026 transport repeats the name in a header, and the two must agree.
  const named =
    headers['mcp-name'] === wanted ? { 'mcp-name': standIn['name'] ?? standIn['uri'] } : {}
  return {
    headers: { ...headers, ...(named as object), 'content-length': String(changed.length) },
    body: changed,
  }
}

interface Message {
  readonly params?: { readonly name?: string; readonly uri?: string }
}

function parsed(body: Buffer): Message | null {
  try {
    return JSON.parse(body.toString()) as Message
  } catch {
    return null
  }
}
