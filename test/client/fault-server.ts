import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export type Handler = (response: ServerResponse, seen: Seen, request: IncomingMessage) => void

export interface FaultServer {
  readonly url: string
  readonly seen: readonly Seen[]
  readonly close: () => Promise<void>
}

/** A real HTTP server on loopback that handles the n-th request with the n-th handler, then the last. */
export async function faultServer(...handlers: readonly Handler[]): Promise<FaultServer> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const entry = { method, path: url, headers, body: Buffer.concat(chunks).toString() }
      seen.push(entry)
      handlers[Math.min(seen.length, handlers.length) - 1]?.(response, entry, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export const json =
  (body: unknown, status = 200): Handler =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

export const problem =
  (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response) => {
    const retryable = code === 'temporarily_unavailable'
    response.writeHead(status, { 'content-type': 'application/problem+json', ...headers })
    response.end(JSON.stringify({ type: '/problems/x', title: 'Title', status, code, retryable }))
  }

export const reset: Handler = (_response, _seen, request) => request.socket.resetAndDestroy()

/** Promises more bytes than it sends, then closes. */
export const truncated: Handler = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"items":[')
  setImmediate(() => response.destroy())
}
