import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { utf8 } from '../../src/domain/bytes.ts'
import { formatRef, sha256 } from '../../src/domain/digest.ts'
import type { Sha256 } from '../../src/domain/digest.ts'
import { createApi } from '../support/api.ts'
import type { Api, Sent } from '../support/api.ts'
import { freshOwner } from '../support/fresh.ts'
import { fetchWorker, workerApi } from '../support/worker.ts'

const ELEVEN = utf8('hello\r\nworl')
const RANDOM = '5'.repeat(64)

describe('an excerpt', () => {
  const { tenant, mission } = freshOwner()
  let api: Api
  let digest: Sha256

  beforeAll(async () => {
    api = await workerApi(tenant)
    digest = await sha256(ELEVEN)
    await api.ok('put_excerpt', { mission, sha256: digest, body: ELEVEN })
  })

  const read = (sent: Sent = {}) => api.send('read_excerpt', { mission, sha256: digest, ...sent })

  test('an excerpt is served as bytes that no browser interprets and no shared cache keeps', async () => {
    const response = await read({ headers: { 'accept-encoding': 'gzip, br, zstd' } })
    expect(response.status).toBe(200)
    const headers = Object.fromEntries(response.headers)
    delete headers['x-request-id']
    delete headers['server-timing']
    const base64 = btoa(String.fromCharCode(...Uint8Array.fromHex(digest)))
    expect(headers).toEqual({
      etag: `"${digest}"`,
      'cache-control': 'private, max-age=31536000, immutable, no-transform',
      'content-type': 'application/octet-stream',
      'content-length': '11',
      'content-disposition': `attachment; filename="${digest}.bin"`,
      'accept-ranges': 'bytes',
      'repr-digest': `sha-256=:${base64}:`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(ELEVEN)
  })

  test('HEAD answers the headers of GET', async () => {
    const [head, get] = [await read({ method: 'HEAD' }), await read()]
    const headersOf = ({ headers }: Response) =>
      [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'server-timing')
    expect(head.status).toBe(200)
    expect(headersOf(head)).toEqual(headersOf(get))
    expect(await head.text()).toBe('')
  })

  test.each([
    ['"TAG"', 304],
    ['W/"TAG"', 304],
    ['"other", "TAG"', 304],
    ['*', 304],
    [`"${RANDOM}"`, 200],
    ['TAG', 200],
  ])('If-None-Match: %s is answered with %d', async (header, status) => {
    const headers = { 'if-none-match': header.replace('TAG', digest) }
    for (const method of ['GET', 'HEAD']) {
      const response = await read({ method, headers })
      expect(response.status).toBe(status)
      expect(response.headers.get('etag')).toBe(`"${digest}"`)
      if (status === 304) {
        expect(response.headers.has('content-length')).toBe(false)
        expect(await response.text()).toBe('')
      }
    }
  })

  test('nobody gets a 304 for an excerpt that they may not read', async () => {
    const headers = { 'if-none-match': '*' }
    const sent = { mission, sha256: digest, headers }
    const stranger = await workerApi(freshOwner().tenant)
    expect(await stranger.refused('read_excerpt', sent)).toMatchObject({ status: 404 })
    const nobody = createApi(fetchWorker)
    expect(await nobody.refused('read_excerpt', sent)).toMatchObject({ status: 401 })
    const missing = await api.send('read_excerpt', { mission, sha256: RANDOM, headers })
    expect(missing.status).toBe(404)
  })

  // RFC 9110 section 14.1.2; 5-2 is 416 as registries have it, other forms are ignored.
  test.each([
    ['bytes=0-4', 0, 5],
    ['bytes=0-0', 0, 1],
    ['bytes=-3', 8, 11],
    ['bytes=-11', 0, 11],
    ['bytes=-99999', 0, 11],
    ['bytes=6-', 6, 11],
    ['bytes=0-99999', 0, 11],
    ['bytes=10-10', 10, 11],
    ['bytes=5-9', 5, 10],
    ['Bytes=5-9', 5, 10],
    ['bytes=5-99999999999999999999', 5, 11],
  ])('the range %s is answered with 206 and the bytes from %d to %d', async (range, start, end) => {
    const response = await read({ headers: { range } })
    expect(response.status).toBe(206)
    expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/11`)
    expect(response.headers.get('content-length')).toBe(String(end - start))
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(ELEVEN.slice(start, end))
  })

  test.each([
    'bytes=11-',
    'bytes=99999999999999999999-',
    'bytes=12-20',
    'bytes=-0',
    'bytes=5-2',
    'bytes=500-0',
  ])('the range %s is answered with 416 and the size', async (range) => {
    const response = await read({ headers: { range } })
    expect(response.headers.get('content-range')).toBe('bytes */11')
    expect(await response.json()).toMatchObject({ status: 416, code: 'range_not_satisfiable' })
  })

  test.each([
    'bytes=0-0,2-3',
    'bytes=abc',
    'bytes=',
    'bytes=-',
    'items=0-1',
    'bytes=0-1e3',
    'bytes= 0-1',
    `bytes=0-0${',1-1'.repeat(9)}`,
  ])('the range %s is ignored', async (range) => {
    const response = await read({ headers: { range } })
    expect(response.status).toBe(200)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(ELEVEN)
  })

  test('If-Range counts only with the strong tag of these bytes', async () => {
    const range = 'bytes=0-4'
    const status = async (tag: string) =>
      (await read({ headers: { range, 'if-range': tag } })).status
    expect(await status(`"${digest}"`)).toBe(206)
    expect(await status(`W/"${digest}"`)).toBe(200)
    expect(await status(`"${RANDOM}"`)).toBe(200)
    expect(await status('Mon, 30 Nov 2026 12:00:00 GMT')).toBe(200)
  })

  test('an empty excerpt has length 0 and no satisfiable range', async () => {
    const empty = await sha256(new Uint8Array())
    const put = await api.send('put_excerpt', { mission, sha256: empty, body: new Uint8Array() })
    expect(put.status).toBe(201)
    const response = await api.send('read_excerpt', { mission, sha256: empty })
    expect(response.headers.get('content-length')).toBe('0')
    expect((await response.arrayBuffer()).byteLength).toBe(0)
    for (const range of ['bytes=0-', 'bytes=-1', 'bytes=0-0']) {
      const ranged = await api.send('read_excerpt', { mission, sha256: empty, headers: { range } })
      expect(ranged.status).toBe(416)
      expect(ranged.headers.get('content-range')).toBe('bytes */0')
    }
  })

  test.each([
    ['a byte order mark and CRLF', utf8('\ufeffa\r\nb')],
    ['NUL and bytes that are not UTF-8', new Uint8Array([0, 0x80, 0xff, 0xfe])],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])],
    ['700 KB', new Uint8Array(700_000).map((_, at) => at % 251)],
    ['exactly 8 MiB', new Uint8Array(8 * 1024 * 1024).fill(0x61)],
  ])('an excerpt of %s is read back unchanged', async (_, bytes) => {
    const written = await api.ok('write_excerpt', { mission, body: bytes })
    const back = await api.ok('read_excerpt', { mission, sha256: written.sha256 })
    expect(await sha256(back)).toBe(written.sha256)
    expect(written).toMatchObject({ size: bytes.length, ref: formatRef(await sha256(bytes)) })
  })

  test('an excerpt is stored once, and keeps the kind and source of its first writer', async () => {
    const first = await api.send('write_excerpt', {
      mission,
      body: 'once',
      query: { kind: 'query', source: 'grep ü', tool: 'grep' },
    })
    expect(first.status).toBe(201)
    const second = await api.send('write_excerpt', { mission, body: 'once' })
    expect(second.status).toBe(200)
    expect(await second.json()).toMatchObject({ created: false, kind: 'query' })
    const { items } = await api.ok('list_excerpts', { mission })
    const ref = formatRef(await sha256(utf8('once')))
    const listed = items.find((item) => item.ref === ref)
    expect(listed).toMatchObject({ size: 4, kind: 'query', source: 'grep ü', tool: 'grep' })
  })

  test('a summary is refused, and a transcript is accepted for audit only', async () => {
    for (const kind of ['summary', 'transcript']) {
      const sent = { mission, body: 'x', query: { kind } }
      expect(await api.refused('write_excerpt', sent)).toMatchObject({
        status: 422,
        code: 'kind_not_evidence',
      })
    }
    const query = { kind: 'transcript', audit: true }
    const audited = await api.ok('write_excerpt', { mission, body: 'for audit', query })
    expect(audited.kind).toBe('transcript')
  })

  test('an excerpt is not served with headers of its writer', async () => {
    const script = '<script>alert(1)</script>'
    const { sha256: written } = await api.ok('write_excerpt', {
      mission,
      body: script,
      headers: {
        'content-type': 'text/html',
        'content-disposition': 'inline',
        'cache-control': 'public',
      },
    })
    const response = await api.send('read_excerpt', { mission, sha256: written })
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(response.headers.get('cache-control')).toMatch(/^private/)
    expect(await response.text()).toBe(script)
  })

  test('an altered excerpt is answered with 500 and no bytes', async () => {
    const { sha256: altered } = await api.ok('write_excerpt', { mission, body: 'true' })
    await env.MEMEX.put(`${tenant}/${mission}/${altered}`, 'fals')
    const sent = { mission, sha256: altered }
    expect(await api.refused('read_excerpt', sent)).toMatchObject({ code: 'excerpt_corrupt' })
    const ranged = await api.refused('read_excerpt', { ...sent, headers: { range: 'bytes=0-0' } })
    expect(ranged).toMatchObject({ status: 500 })
    const refs = [`memex://excerpt/${altered}`]
    expect(await api.refused('read_excerpts', { mission, body: { refs } })).toMatchObject({
      code: 'excerpt_corrupt',
    })
  })
})
