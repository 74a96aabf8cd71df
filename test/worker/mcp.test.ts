import { expect, test } from 'vitest'
import { rootToken } from '../support/tokens.ts'
import { fetchWorker, signer, workerApi } from '../support/worker.ts'

interface Somebody {
  readonly token: string
  readonly ref: string
  readonly body: string
}

/** Two tenants with a mission of the same name, and one excerpt each. */
const both = async (): Promise<readonly [Somebody, Somebody]> => {
  const make = async (tenant: string): Promise<Somebody> => {
    const body = `what only ${tenant} knows`
    const api = await workerApi(tenant)
    const { ref } = await api.ok('write_excerpt', { mission: 'mine', body })
    return { token: await rootToken(signer, tenant, { mission: 'mine' }), ref, body }
  }
  return [await make('mcp-one'), await make('mcp-other')]
}

/** A `memex_read` with the id 0, as any client might number it. */
async function read({ token }: Somebody, ref: string): Promise<[unknown, string | undefined]> {
  const params = { name: 'memex_read', arguments: { ref } }
  const response = await fetchWorker(
    new Request('https://foldex.test/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params }),
    }),
  )
  const { id, result } = await response.json<{
    id: unknown
    result: { content: readonly { text: string }[] }
  }>()
  return [id, result.content[0]?.text]
}

const ROUNDS = 1000
const AT_ONCE = 20

test('two MCP clients that number their calls alike never get answers of each other, in 1,000 rounds', async () => {
  const [one, other] = await both()
  const round = () => Promise.all([read(one, one.ref), read(other, other.ref)])
  for (let done = 0; done < ROUNDS; done += AT_ONCE) {
    const heard = await Promise.all(Array.from({ length: AT_ONCE }, round))
    for (const pair of heard)
      expect(pair).toEqual([
        [0, one.body],
        [0, other.body],
      ])
    expect(await read(one, other.ref)).toEqual([0, expect.stringContaining('excerpt_not_found')])
  }
})
