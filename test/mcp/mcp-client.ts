import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { MintRequest } from '../../src/domain/access/claims.ts'
import { createApp } from '../../src/http/app.ts'
import type { Deps } from '../../src/ports.ts'
import { rootToken } from '../support/tokens.ts'

type Fetch = (request: Request) => Response | Promise<Response>

/** The official client, connected with a token; `auto` negotiates the newest version. */
export async function connect(
  fetch: Fetch,
  token: string,
  { url = 'https://foldex.test/mcp', mode = 'legacy' as 'legacy' | 'auto' } = {},
): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: async (input, init) => fetch(new Request(input, init)),
    requestInit: { headers: { authorization: `Bearer ${token}` } },
  })
  const client = new Client(
    { name: 'foldex-test', version: '1.0.0' },
    { versionNegotiation: { mode } },
  )
  await client.connect(transport)
  return client
}

/** The official client on ports in memory, for a token of tenant acme that may do no more than asked. */
export async function memoryClient(
  deps: Deps,
  request: Partial<MintRequest> = {},
  path = '/mcp',
): Promise<Client> {
  const app = createApp(deps)
  if (deps.signer === null) throw new Error('no signer')
  const token = await rootToken(deps.signer, 'acme', request)
  return await connect((sent) => app.fetch(sent), token, { url: `https://foldex.test${path}` })
}

/** The text blocks of a tool's answer. */
export const texts = (result: CallToolResult): readonly string[] =>
  result.content.flatMap((block) => (block.type === 'text' ? [block.text] : []))

/** The problem that a tool answered. */
export function problemIn(result: CallToolResult): Record<string, unknown> {
  if (result.isError !== true) throw new Error(`no error: ${JSON.stringify(result)}`)
  return JSON.parse(texts(result)[0] ?? '') as Record<string, unknown>
}
