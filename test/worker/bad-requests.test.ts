import { describe, expect, test } from 'vitest'
import { freshOwner } from '../support/fresh.ts'
import { refusesEach } from '../support/refusals.ts'
import type { Case } from '../support/refusals.ts'
import { SAMPLES } from '../support/samples.ts'
import { workerApi } from '../support/worker.ts'

const SHA = '5'.repeat(64)
const HEADERS: readonly Case[] = [
  ...(
    ['put_mission', 'mask', 'unmask', 'report_context', 'mint_token', 'read_excerpts'] as const
  ).flatMap((name) => [
    ...['', 'text/plain', 'application/x-www-form-urlencoded', 'text/json'].map((type): Case => [
      `content type "${type}"`,
      name,
      { ...SAMPLES[name], headers: { 'content-type': type } },
      415,
      'unsupported_media_type',
      '/header/content-type',
    ]),
    [
      'a gzip encoding',
      name,
      { ...SAMPLES[name], headers: { 'content-encoding': 'gzip' } },
      415,
      'unsupported_content_encoding',
      '/header/content-encoding',
    ] as const,
  ]),
  ...['gzip', 'br', 'zstd', 'deflate', 'GZIP', 'identity, gzip'].map((encoding): Case => [
    `a ${encoding} encoding`,
    'write_excerpt',
    { body: 'x', headers: { 'content-encoding': encoding } },
    415,
    'unsupported_content_encoding',
    '/header/content-encoding',
  ]),
]

const IDS: readonly Case[] = [
  'a%2f..%2fb',
  '..%2f..%2f',
  '%00',
  'a%00',
  'a%0d%0aSet-Cookie:x',
  '%ff',
  '%252f',
  '%E2%80%8Ba',
  '%D0%B0',
  'caf%C3%A9',
  'cafe%CC%81',
  '%F0%9F%98%80',
  '%E2%80%AEx',
  '-a',
  '.a',
  '_a',
  'a%20b',
  'a:b',
  'a'.repeat(65),
  'a'.repeat(1025),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
].flatMap((mission) =>
  (['put_mission', 'get_mission', 'mask', 'read_excerpt'] as const).map((name): Case => [
    `the id ${mission.slice(0, 30)}`,
    name,
    { ...SAMPLES[name], mission },
    400,
    'invalid_identifier',
    '/path/mission',
  ]),
)

const DIGESTS: readonly Case[] = [
  'A'.repeat(64),
  'a'.repeat(63),
  'a'.repeat(65),
  `${'z'.repeat(64)}`,
  `sha256:${SHA}`,
  `${SHA.slice(0, 63)}%00`,
  `memex:%2f%2fexcerpt%2f${SHA}`,
  'read',
].flatMap((sha256) =>
  (['put_excerpt', 'read_excerpt'] as const).map((name): Case => [
    `the digest ${sha256.slice(0, 24)}`,
    name,
    { body: name === 'put_excerpt' ? 'a' : undefined, sha256 },
    400,
    'invalid_digest',
    '/path/sha256',
  ]),
)

const OTHERS: readonly Case[] = [
  [
    'a digest of other bytes',
    'put_excerpt',
    { sha256: SHA, body: 'a' },
    400,
    'digest_mismatch',
    '/path/sha256',
  ],
  [
    'an unknown kind',
    'write_excerpt',
    { body: 'a', query: { kind: 'memo' } },
    400,
    'invalid_input',
    '/query/kind',
  ],
  [
    'an empty source',
    'write_excerpt',
    { body: 'a', query: { source: '' } },
    400,
    'invalid_input',
    '/query/source',
  ],
  [
    'an unknown parameter',
    'write_excerpt',
    { body: 'a', query: { x: 1 } },
    400,
    'invalid_input',
    '/query/x',
  ],
  ...[
    'a b',
    'x\n[2026-01-01T00:00:00Z] masked 9 outputs, new context %: 0',
    'a\u2028b',
    'a\r',
    '\u001b[2J',
    '](javascript:alert(1))',
    '<img onerror>',
    '-->',
    '```',
    'a'.repeat(129),
  ].map((tool): Case => [
    `the tool ${JSON.stringify(tool.slice(0, 16))}`,
    'write_excerpt',
    { body: 'a', query: { tool } },
    400,
    'invalid_input',
    '/query/tool',
  ]),
  ...['0', '1001', '-1', '1.5', 'many', ''].map((limit): Case => [
    `a limit of "${limit}"`,
    'list_missions',
    { query: { limit } },
    400,
    'invalid_input',
    '/query/limit',
  ]),
  [
    'a made-up cursor',
    'list_missions',
    { query: { cursor: 'x' } },
    400,
    'invalid_input',
    '/query/cursor',
  ],
  [
    'an unknown status',
    'list_missions',
    { query: { status: 'erased' } },
    400,
    'invalid_input',
    '/query/status',
  ],
  [
    'a q of 65 characters',
    'list_missions',
    { query: { q: 'a'.repeat(65) } },
    400,
    'invalid_input',
    '/query/q',
  ],
  [
    'a time without a zone',
    'masking_log',
    { query: { since: '2026-11-30' } },
    400,
    'invalid_input',
    '/query/since',
  ],
  [
    'a malformed token id',
    'revoke_token',
    { jti: 'a%2fb' },
    400,
    'invalid_identifier',
    '/path/jti',
  ],
  ['an unknown log', 'mission_log', { log: 'audit' }, 404, 'not_found', '/path/log'],
]

describe('bad headers, paths and parameters', () => {
  refusesEach([...HEADERS, ...IDS, ...DIGESTS, ...OTHERS])
})

describe('what is not there', () => {
  test('a missing escalation, excerpt or artifact has a code of its own where its mission exists', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    await api.ok('put_mission', { mission, body: {} })
    for (const [name, code] of [
      ['resolve_escalation', 'escalation_not_found'],
      ['read_excerpt', 'excerpt_not_found'],
      ['get_artifact', 'artifact_missing'],
    ] as const)
      expect(await api.refused(name, { mission, ...SAMPLES[name] })).toMatchObject({ code })
  })
})

describe('a bad size or digest', () => {
  test.each([
    ['write_excerpt', 8 * 1024 * 1024, 'excerpt_too_large'],
    ['mask', 16 * 1024 * 1024, 'body_too_large'],
  ] as const)('%s refuses a body over %d bytes with the code %s', async (name, limit, code) => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    const body = new Uint8Array(limit + 1).fill(0x20)
    expect(await api.refused(name, { mission, body })).toMatchObject({
      status: 413,
      code,
      errors: [{ pointer: '', detail: `is more than ${limit} bytes` }],
    })
  })

  test('a digest mismatch does not reveal the true digest, and changes no excerpt', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    const { sha256 } = await api.ok('write_excerpt', { mission, body: 'true' })
    const response = await api.send('put_excerpt', { mission, sha256, body: 'false' })
    expect(await response.text()).not.toContain('fcbcf165908dd18a9e49f7ff27810176')
    const bytes = await api.ok('read_excerpt', { mission, sha256 })
    expect(new TextDecoder().decode(bytes)).toBe('true')
  })
})
