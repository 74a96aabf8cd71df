import { afterEach, describe, expect, it } from 'vitest'
import { createFoldex } from '../../src/client/foldex.ts'
import { utf8 } from '../../src/domain/bytes.ts'
import { formatRef, sha256 } from '../../src/domain/digest.ts'
import { faultServer, json, truncated } from './fault-server.ts'
import type { FaultServer, Handler } from './fault-server.ts'

let server: FaultServer | undefined
afterEach(() => server?.close())

const serve = async (...handlers: readonly Handler[]) => {
  server = await faultServer(...handlers)
  return { ...server, foldex: createFoldex({ url: server.url, token: 't' }) }
}

const bytes =
  (body: string): Handler =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(body)

describe('call', () => {
  it('fills the path, the query and the body as the contract says', async () => {
    const { foldex, seen } = await serve(json({ items: [], next_cursor: null }))
    await foldex.call('list_excerpts', { mission: 'm/1', query: { limit: 7 } })
    await foldex.call('put_mission', { mission: 'm1', body: { window_tokens: 1000 } })
    await foldex.call('write_excerpt', { mission: 'm1', query: { kind: 'query' }, body: utf8('é') })
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', '/v1/missions/m%2F1/excerpts?limit=7', ''],
      ['PUT', '/v1/missions/m1', '{"window_tokens":1000}'],
      ['POST', '/v1/missions/m1/excerpts?kind=query', 'é'],
    ])
    expect(seen.map(({ headers }) => headers['content-type'])).toEqual([
      undefined,
      'application/json',
      'application/octet-stream',
    ])
  })

  it('refuses a parameter that would lead to another route', async () => {
    const { foldex, seen } = await serve(json({}))
    for (const mission of ['', '.', '..'])
      await expect(foldex.call('get_mission', { mission })).rejects.toThrow(RangeError)
    expect(seen).toHaveLength(0)
  })

  it('refuses an answer that is not JSON, as from a proxy or a wrong URL', async () => {
    const page: Handler = (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Welcome')
    const { foldex } = await serve(page, (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"half":'),
    )
    const refused = { code: 'unexpected_answer', status: 200 }
    await expect(foldex.call('health', {})).rejects.toMatchObject(refused)
    await expect(foldex.call('health', {})).rejects.toMatchObject(refused)
  })
})

describe('an operation that may answer nothing', () => {
  const nothing: Handler = (response) => response.writeHead(204).end()

  it('resolves to null, and any other operation refuses an empty answer', async () => {
    const { foldex } = await serve(nothing)
    const hook = { mission: 'm1', body: utf8('{}') }
    expect(await foldex.call('receive_claude_code_hook', hook)).toBeNull()
    await expect(foldex.call('health', {})).rejects.toMatchObject({ code: 'unexpected_answer' })
  })
})

describe('callText', () => {
  it('sends and returns JSON text as it is written', async () => {
    const answer: Handler = (response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"n": 1.0}')
    const { foldex, seen } = await serve(answer)
    const body = '{"request":{"n":12345678901234567890}}'
    expect(await foldex.callText('mask', { mission: 'm1', body })).toBe('{"n": 1.0}')
    expect(seen[0]).toMatchObject({ body, path: '/v1/missions/m1/mask' })
    expect(seen[0]?.headers['content-type']).toBe('application/json')
  })
})

describe('read', () => {
  it('gives the bytes when they hash to the ref or digest', async () => {
    const digest = await sha256(utf8('evidence'))
    const { foldex, seen } = await serve(bytes('evidence'))
    expect(await foldex.read('m1', formatRef(digest))).toEqual(utf8('evidence'))
    expect(await foldex.read('m1', digest)).toEqual(utf8('evidence'))
    expect(seen[0]?.path).toBe(`/v1/missions/m1/excerpts/${digest}`)
  })

  it('refuses wrong bytes, and bytes that are cut short', async () => {
    const digest = await sha256(utf8('evidence'))
    const { foldex } = await serve(bytes('evidencE'), bytes('evid'))
    const refused = { code: 'wrong_bytes' }
    await expect(foldex.read('m1', digest)).rejects.toMatchObject(refused)
    await expect(foldex.read('m1', digest)).rejects.toMatchObject(refused)
  })

  it('reads again when the connection breaks inside the body', async () => {
    const digest = await sha256(utf8('evidence'))
    const { foldex, seen } = await serve(truncated, bytes('evidence'))
    expect(await foldex.read('m1', digest)).toEqual(utf8('evidence'))
    expect(seen).toHaveLength(2)
  })

  it('refuses what is no ref without sending a request', async () => {
    const { foldex, seen } = await serve(json({}))
    await expect(foldex.read('m1', 'memex://excerpt/ABC')).rejects.toThrow(RangeError)
    expect(seen).toHaveLength(0)
  })
})

describe('maskAnthropic and maskOpenAI', () => {
  it('ask for edits and apply them to the given request', async () => {
    const edits = [{ pointer: '/messages/0/content', call_id: 'c', placeholder: '[x]', ref: null }]
    const { foldex, seen } = await serve(json({ edits }))
    const request = { model: 'gpt-5', messages: [{ role: 'tool', content: 'long' }] }
    const policy = { keep: 1 }
    expect(await foldex.maskOpenAI('m1', request, { policy, window_tokens: 9 })).toBe(request)
    expect(request.messages).toEqual([{ role: 'tool', content: '[x]' }])
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      request: { model: 'gpt-5', messages: [{ role: 'tool', content: 'long' }] },
      format: 'openai_chat',
      return: 'edits',
      policy,
      window_tokens: 9,
    })
    await foldex.maskAnthropic('m1', request)
    expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({ format: 'anthropic_messages' })
  })
  it('keep an output that the policy keeps when another result is the same object', async () => {
    const pointer = '/messages/1/content/0/content/0/text'
    const edits = [{ pointer, call_id: 'c1', placeholder: '[x]', ref: null }]
    const { foldex } = await serve(json({ edits }))
    const memo = [{ type: 'text', text: 'long' }]
    const turn = (id: string) => [
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'ls', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: memo }] },
    ]
    const request = { messages: [...turn('c1'), ...turn('c3')] }
    await foldex.maskAnthropic('m1', request)
    expect(request.messages).toMatchObject([
      {},
      { content: [{ tool_use_id: 'c1', content: [{ type: 'text', text: '[x]' }] }] },
      {},
      { content: [{ tool_use_id: 'c3', content: [{ type: 'text', text: 'long' }] }] },
    ])
    expect(memo).toEqual([{ type: 'text', text: 'long' }])
  })

  it('change nothing when the list was cut while the request was on its way', async () => {
    const edits = [{ pointer: '/messages/1/content', call_id: 'a', placeholder: '[x]', ref: null }]
    const { foldex } = await serve(json({ edits }))
    const tool = (id: string) => ({ role: 'tool', tool_call_id: id, content: `output of ${id}` })
    const request = { messages: [{ role: 'user', content: 'go' }, tool('a'), tool('b')] }
    const masked = foldex.maskOpenAI('m1', request)
    request.messages.splice(0, 1)
    await expect(masked).rejects.toMatchObject({ name: 'FoldexError', code: 'edits_refused' })
    expect(request.messages).toEqual([tool('a'), tool('b')])
  })
})
