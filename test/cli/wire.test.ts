import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signToken } from '../../src/cli/sign.ts'
import { signingKeys } from '../../src/domain/access/signing-keys.ts'
import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import { createApi } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { bundle, startKillable } from '../support/killable-worker.ts'
import type { KillableWorker } from '../support/killable-worker.ts'

const KEYS = JSON.stringify([{ kid: 'k', secret: 'A'.repeat(43) }])
const TEXT = 'line after line\r\n'.repeat(1000)
const folder = mkdtempSync(join(tmpdir(), 'foldex-wire-'))
let worker: KillableWorker
let token: string
let api: Api

beforeAll(async () => {
  worker = await startKillable(await bundle(join(folder, 'bundle')), join(folder, 'state'), KEYS)
  const now = Math.floor(Date.now() / 1000)
  const request = { scope: ['admin'], expires_in_s: 3600 } as const
  token = (await signToken(signingKeys.parse(JSON.parse(KEYS)), 'acme', request, now)).token
  api = createApi(worker.fetch, token)
})

afterAll(async () => {
  await worker.kill()
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** One request with just these headers and the token; only Host is added. */
function send(
  method: string,
  path: string,
  headers: Record<string, string | string[]> = {},
  chunks: readonly Uint8Array[] = [],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = worker.url
    const all = { authorization: `Bearer ${token}`, ...headers }
    const sent = httpRequest({ hostname, port, method, path, headers: all }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response
        resolve({ status, headers: received, body: Buffer.concat(parts) })
      })
    })
    sent.on('error', reject)
    for (const chunk of chunks) sent.write(chunk)
    sent.end()
  })
}

const code = ({ body }: Answer): string => (JSON.parse(body.toString()) as { code: string }).code

describe('on the wire', () => {
  test('an excerpt is never compressed, whatever the reader accepts', async () => {
    const { sha256: digest } = await api.ok('write_excerpt', { mission: 'm', body: TEXT })
    const path = `/v1/missions/m/excerpts/${digest}`
    const answer = await send('GET', path, { 'accept-encoding': 'gzip, br, zstd, deflate' })
    expect(answer.headers['content-encoding']).toBeUndefined()
    expect(answer.headers['content-length']).toBe(String(TEXT.length))
    expect(answer.headers['transfer-encoding']).toBeUndefined()
    expect(answer.body.toString()).toBe(TEXT)
    const head = await send('HEAD', path, { 'accept-encoding': 'gzip' })
    expect(head.headers['content-length']).toBe(String(TEXT.length))
    expect(head.headers.etag).toBe(`"${digest}"`)
    const part = await send('GET', path, { range: 'bytes=5-9', 'accept-encoding': 'gzip' })
    expect(part).toMatchObject({ status: 206, body: Buffer.from(TEXT.slice(5, 10)) })
    expect(part.headers['content-length']).toBe('5')
  })

  test('a body without a declared length is accepted', async () => {
    const bytes = utf8('chunk one, chunk two')
    const path = `/v1/missions/m/excerpts/${await sha256(bytes)}`
    const chunks = [bytes.subarray(0, 10), bytes.subarray(10)]
    expect((await send('PUT', path, { 'transfer-encoding': 'chunked' }, chunks)).status).toBe(201)
    expect((await send('GET', path)).body).toEqual(Buffer.from(bytes))
  })

  test('a chunked body over the limit is refused while it is read', async () => {
    const chunks = Array.from({ length: 9 }, () => new Uint8Array(1024 * 1024))
    const headers = { 'transfer-encoding': 'chunked' }
    const answer = await send('POST', '/v1/missions/m/excerpts', headers, chunks)
    expect(answer.status).toBe(413)
    expect(code(answer)).toBe('excerpt_too_large')
  })

  test('a declared length over the limit is refused before the body comes', async () => {
    const answer = await raw(
      `POST /v1/missions/m/excerpts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Length: ${8 * 1024 * 1024 + 1}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('a write that is cut off stores nothing, and can be repeated', async () => {
    const bytes = new Uint8Array(100_000).fill(0x61)
    const digest = await sha256(bytes)
    const path = `/v1/missions/m/excerpts/${digest}`
    const { hostname, port } = worker.url
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
            `Content-Length: ${bytes.length}\r\n\r\n`,
        )
        socket.write(bytes.subarray(0, 5000), () => socket.resetAndDestroy())
      })
      socket.on('close', () => resolve())
    })
    expect((await send('GET', path)).status).toBe(404)
    const length = { 'content-length': String(bytes.length) }
    expect((await send('PUT', path, length, [bytes])).status).toBe(201)
  })

  test('two Authorization headers are refused as one invalid token', async () => {
    const authorization = [`Bearer ${token}`, `Bearer ${token}`]
    const answer = await raw(
      `GET /v1/missions/m HTTP/1.1\r\nHost: x\r\nConnection: close\r\n` +
        `${authorization.map((line) => `Authorization: ${line}\r\n`).join('')}\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
    expect(answer).toContain('"code":"invalid_token"')
  })

  test.each([
    ['/v1/missions/a%2f..%2fb', 400],
    ['/v1/missions/a%0d%0aSet-Cookie:x', 400],
    ['/v1/missions/%00', 400],
    ['/v1/missions/%zz', 400],
    ['/v1/missions/../missions/%2e%2e/m', 404],
    ['//evil.example/v1/missions', 404],
  ])('the path %s is answered with %d and no injected header', async (path, status) => {
    const answer = await send('GET', path)
    expect(answer.status).toBe(status)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(answer.headers['content-type']).toBe('application/problem+json')
  })

  test('no answer contains the Host header of its request', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const body = utf8('hosts')
    const length = { 'content-length': String(body.length) }
    const answer = await send('POST', '/v1/missions/m/excerpts', { ...headers, ...length }, [body])
    expect(answer.status).toBe(201)
    expect(JSON.stringify(answer.headers) + answer.body.toString()).not.toContain('evil')
  })

  test('the mission is listed after all these requests', async () => {
    await eventually(async () => {
      expect((await api.ok('list_missions')).items.map(({ id }) => id)).toContain('m')
    })
  })
})

/** The answer to these bytes, as a text. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(worker.url.port), worker.url.hostname, () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8')
    socket.on('data', (part) => {
      answer += part
      if (answer.includes('\r\n\r\n') && answer.includes('}')) socket.end()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}
