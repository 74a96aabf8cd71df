import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { problemStatus } from '../contract/problem.ts'
import { failure } from '../domain/failure.ts'
import type { Deps } from '../ports.ts'
import type { Session } from './invoke.ts'
import { refusal } from './result.ts'
import { createServer } from './server.ts'

/** The largest MCP message: an excerpt of 8 MiB in base64, and a margin. */
const limit = { maxRequestBodySize: 12 * 1024 * 1024 }

/**
 * Serves one MCP message over streamable HTTP, in the protocol of 2026-07-28 or an earlier one.
 * Handler and server are made for this request alone, so that two clients never share anything
 * (GHSA-345p-7cg4-v4c7).
 */
export async function serveMcp(deps: Deps, session: Session, sent: Request): Promise<Response> {
  const request = accepting(sent)
  if (await isLegacyRequest(request, undefined, limit)) return serveLegacy(deps, session, request)
  const onerror = (error: Error) =>
    deps.report({ level: 'warn', event: 'mcp_error', error: error.message.slice(0, 200) })
  const modern = createMcpHandler(() => createServer(deps, session), {
    legacy: 'reject',
    onerror,
    ...limit,
  })
  return modern.fetch(request)
}

/** Without a session there is nothing to GET or to DELETE. Answers are JSON, never a stream. */
async function serveLegacy(deps: Deps, session: Session, request: Request): Promise<Response> {
  if (request.method !== 'POST') {
    const { code, message, data } = refusal(failure('method_not_allowed'))
    const body = { jsonrpc: '2.0', id: null, error: { code, message, data } }
    return Response.json(body, {
      status: problemStatus('method_not_allowed'),
      headers: { allow: 'POST' },
    })
  }
  const server = createServer(deps, session)
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    ...limit,
  })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request)
  } finally {
    await server.close()
  }
}

/** Clients that accept only JSON are answered too: the transport wants both types named. */
function accepting(request: Request): Request {
  const accept = request.headers.get('accept') ?? ''
  if (accept.includes('text/event-stream') && accept.includes('application/json')) return request
  const headers = new Headers(request.headers)
  headers.set('accept', 'application/json, text/event-stream')
  return new Request(request, { headers })
}
