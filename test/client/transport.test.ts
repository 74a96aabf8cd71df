import { afterEach, describe, expect, it } from 'vitest'
import { createTransport } from '../../src/client/transport.ts'
import { faultServer, json, problem, reset, truncated } from './fault-server.ts'
import type { FaultServer, Handler } from './fault-server.ts'

let server: FaultServer | undefined
afterEach(() => server?.close())

const serve = async (...handlers: readonly Handler[]) => (server = await faultServer(...handlers))

const again = { 'retry-after': '0' }

describe('createTransport', () => {
  it('sends the token, and one idempotency key over all tries of a POST', async () => {
    const { url, seen } = await serve(problem(503, 'temporarily_unavailable', again), json({}))
    const send = createTransport({ url: `${url}/`, token: 't0' })
    await send({ method: 'POST', path: '/v1/x?a=b', body: '{"n":1.0}' })
    expect(seen.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/v1/x?a=b', '{"n":1.0}'],
      ['POST', '/v1/x?a=b', '{"n":1.0}'],
    ])
    const [first, second] = seen.map(({ headers }) => headers)
    expect(first?.authorization).toBe('Bearer t0')
    expect(first?.['idempotency-key']).toMatch(/^[0-9a-f-]{36}$/)
    expect(second?.['idempotency-key']).toBe(first?.['idempotency-key'])
  })

  it('takes a new idempotency key for a new call, and none for a GET', async () => {
    const { url, seen } = await serve(json({}))
    const send = createTransport({ url })
    await send({ method: 'POST', path: '/' })
    await send({ method: 'POST', path: '/' })
    await send({ method: 'GET', path: '/' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).not.toBe(keys[1])
    expect(keys[2]).toBeUndefined()
  })

  it('tries again after a reset, a cut body and a 503, and then gives the answer', async () => {
    const busy = problem(503, 'temporarily_unavailable', again)
    const { url, seen } = await serve(reset, truncated, busy, json({ ok: true }))
    const received = await createTransport({ url })({ method: 'GET', path: '/' })
    expect(JSON.parse(new TextDecoder().decode(received.bytes))).toEqual({ ok: true })
    expect(seen).toHaveLength(4)
  })

  it('gives up when its tries are used up, with the last failure', async () => {
    const { url, seen } = await serve(problem(503, 'temporarily_unavailable', again))
    const send = createTransport({ url, retries: 2 })
    await expect(send({ method: 'GET', path: '/' })).rejects.toMatchObject({
      name: 'FoldexError',
      code: 'temporarily_unavailable',
      status: 503,
    })
    expect(seen).toHaveLength(3)
  })

  it('does not try again what the service calls final', async () => {
    for (const [status, code] of [
      [401, 'token_expired'],
      [404, 'mission_not_found'],
      [422, 'transcript_invalid'],
      [500, 'internal'],
      [503, 'storage_not_configured'],
    ] as const) {
      const { url, seen, close } = await serve(problem(status, code, again))
      const sent = createTransport({ url })({ method: 'GET', path: '/' })
      await expect(sent).rejects.toMatchObject({ code, status, problem: { title: 'Title' } })
      expect(seen).toHaveLength(1)
      await close()
    }
  })

  it.each([
    [{ title: 'Bad', status: 400, errors: { id: ['bad'] } }],
    [{ code: 'c', title: 'Bad', status: 400, errors: { id: ['bad'] } }],
    [{ code: 'c', title: 'Bad', status: 400, errors: [null] }],
    [{ type: 'about:blank', status: 400 }],
    [null],
  ])('refuses the problem of another service, %j, as an unexpected answer', async (body) => {
    const { url } = await serve((response) =>
      response
        .writeHead(400, { 'content-type': 'application/problem+json' })
        .end(JSON.stringify(body)),
    )
    await expect(createTransport({ url })({ method: 'GET', path: '/' })).rejects.toMatchObject({
      name: 'FoldexError',
      code: 'unexpected_answer',
      status: 400,
      problem: null,
    })
  })

  it('tries a 429 without a problem again', async () => {
    const limited: Handler = (response) => response.writeHead(429, again).end('slow down')
    const { url } = await serve(limited, json({}))
    const received = await createTransport({ url })({ method: 'GET', path: '/' })
    expect(received.status).toBe(200)
  })

  it('reads Retry-After as a date too, and does not wait for an hour', async () => {
    const past = { 'retry-after': 'Thu, 01 Jan 2026 00:00:00 GMT' }
    const hour = { 'retry-after': '3600' }
    const { url, seen } = await serve(
      problem(503, 'temporarily_unavailable', past),
      problem(503, 'temporarily_unavailable', hour),
    )
    await expect(createTransport({ url })({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: 'temporarily_unavailable',
      retry_after_s: 3600,
    })
    expect(seen).toHaveLength(2)
  })

  it('names the URL that does not answer, and why', async () => {
    const { url, close } = await serve(json({}))
    await close()
    await expect(
      createTransport({ url, retries: 0 })({ method: 'GET', path: '/' }),
    ).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
      message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/),
    })
  })

  it('ends a try that takes too long', async () => {
    const { url } = await serve(() => {})
    const send = createTransport({ url, retries: 0, timeout_ms: 20 })
    await expect(send({ method: 'GET', path: '/' })).rejects.toMatchObject({ code: 'unreachable' })
  })

  it('stops at once when its caller aborts, while it waits for an answer or for the next try', async () => {
    const controller = new AbortController()
    const { url, seen } = await serve(() => controller.abort(new Error('enough')))
    const aborted = createTransport({ url })({
      method: 'GET',
      path: '/',
      signal: controller.signal,
    })
    await expect(aborted).rejects.toThrow('enough')
    expect(seen).toHaveLength(1)

    const waiting = new AbortController()
    const slow = problem(503, 'temporarily_unavailable', { 'retry-after': '20' })
    const busy = await faultServer((...args) => {
      slow(...args)
      setTimeout(() => waiting.abort(new Error('enough')), 50)
    })
    const sent = createTransport({ url: busy.url })({
      method: 'GET',
      path: '/',
      signal: waiting.signal,
    })
    await expect(sent).rejects.toThrow('enough')
    expect(busy.seen).toHaveLength(1)
    await busy.close()
  })
})
