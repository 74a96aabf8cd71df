import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { createJoseSigner } from '../../../src/adapters/jose/jose-signer.ts'
import type { Claims } from '../../../src/domain/access/claims.ts'
import { utf8, utf8Text } from '../../../src/domain/bytes.ts'

const secretOf = (seed: number) =>
  Uint8Array.from({ length: 32 }, (_, i) => (i * seed) % 256).toBase64(UNPADDED)
const UNPADDED = { alphabet: 'base64url', omitPadding: true } as const
const [OLD, NEW] = [
  { kid: 'old', secret: secretOf(7) },
  { kid: 'new', secret: secretOf(11) },
]
const signer = createJoseSigner(JSON.stringify([NEW, OLD]))
const CLAIMS: Claims = {
  tenant: 'acme',
  scope: ['memex:read', 'fold:read'],
  jti: 'jti-00000001',
  iat: 1_700_000_000,
  exp: 1_700_000_600,
  mission: 'm-1',
  parents: ['jti-00000000'],
}

const encode = (value: unknown) => utf8(JSON.stringify(value)).toBase64(UNPADDED)
const decode = (part = '') =>
  JSON.parse(utf8Text(Uint8Array.fromBase64(part, { alphabet: 'base64url' })) ?? '') as object

async function signed(header: object, payload: object | string, key = NEW): Promise<string> {
  const secret = Uint8Array.fromBase64(key.secret, { alphabet: 'base64url' })
  const text = typeof payload === 'string' ? utf8(payload).toBase64(UNPADDED) : encode(payload)
  const body = `${encode(header)}.${text}`
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const cryptoKey = await crypto.subtle.importKey('raw', secret, hmac, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', cryptoKey, utf8(body)))
  return `${body}.${mac.toBase64(UNPADDED)}`
}

const HEADER = { alg: 'HS256', kid: 'new', typ: 'JWT' }

describe('a token', () => {
  test('is verified to the claims that it was signed with', async () => {
    expect(await signer.verify(await signer.sign(CLAIMS))).toEqual(CLAIMS)
  })

  test('is signed by the first key, with alg, kid and typ and nothing else', async () => {
    const [header] = (await signer.sign(CLAIMS)).split('.')
    expect(decode(header)).toEqual(HEADER)
  })

  test('is valid with a former key, and not with a dropped one', async () => {
    const before = await createJoseSigner(JSON.stringify([OLD])).sign(CLAIMS)
    expect(await signer.verify(before)).toEqual(CLAIMS)
    expect(await createJoseSigner(JSON.stringify([NEW])).verify(before)).toBeNull()
  })

  test('is not valid with another secret under a known kid', async () => {
    expect(await signer.verify(await signed(HEADER, CLAIMS, OLD))).toBeNull()
  })

  test('is valid when it is made by hand, with or without typ', async () => {
    expect(await signer.verify(await signed(HEADER, CLAIMS))).toEqual(CLAIMS)
    expect(await signer.verify(await signed({ alg: 'HS256', kid: 'new' }, CLAIMS))).toEqual(CLAIMS)
  })

  test('is verified though it is expired or from the future, since the domain judges times', async () => {
    for (const times of [
      { iat: 1, exp: 2 },
      { iat: 9_000_000_000, exp: 9_000_000_001 },
    ])
      expect(await signer.verify(await signer.sign({ ...CLAIMS, ...times }))).not.toBeNull()
  })
})

describe('headers', () => {
  test.each<[string, object]>([
    ['names no algorithm', { kid: 'new' }],
    ['says none', { ...HEADER, alg: 'none' }],
    ['says None', { ...HEADER, alg: 'None' }],
    ['says hs256', { ...HEADER, alg: 'hs256' }],
    ['says HS512', { ...HEADER, alg: 'HS512' }],
    ['says RS256', { ...HEADER, alg: 'RS256' }],
    ['has no kid', { alg: 'HS256' }],
    ['has an unknown kid', { ...HEADER, kid: 'other' }],
    ['has a path as kid', { ...HEADER, kid: '../../etc/passwd' }],
    ['has a kid that every object answers to', { ...HEADER, kid: '__proto__' }],
    ['has a kid of 10 KB', { ...HEADER, kid: 'k'.repeat(10_240) }],
    ['has a number as kid', { ...HEADER, kid: 1 }],
    ['names a key set', { ...HEADER, jku: 'https://evil.example/jwks.json' }],
    ['names a certificate', { ...HEADER, x5u: 'https://evil.example/cert.pem' }],
    ['brings its own key', { ...HEADER, jwk: { kty: 'oct', k: 'AAAA' } }],
    ['has critical extensions', { ...HEADER, crit: ['exp'], exp: 1 }],
    ['is of another type', { ...HEADER, typ: 'at+jwt' }],
    ['carries unencoded payload', { ...HEADER, b64: false, crit: ['b64'] }],
  ])('a header that %s is refused', async (_, header) => {
    expect(await signer.verify(await signed(header, CLAIMS))).toBeNull()
  })

  test('an unsigned token is refused', async () => {
    const body = `${encode({ ...HEADER, alg: 'none' })}.${encode(CLAIMS)}`
    expect(await signer.verify(`${body}.`)).toBeNull()
  })
})

describe('claims', () => {
  test.each<[string, object | string]>([
    ['have no exp', { ...CLAIMS, exp: undefined }],
    ['have a text as exp', { ...CLAIMS, exp: '1700000600' }],
    ['have null as exp', { ...CLAIMS, exp: null }],
    ['have an exp out of range', JSON.stringify(CLAIMS).replace('1700000600', '1e400')],
    ['have no tenant', { ...CLAIMS, tenant: undefined }],
    ['have a tenant that is no identifier', { ...CLAIMS, tenant: '_revoked' }],
    ['have no scope', { ...CLAIMS, scope: [] }],
    ['have a scope nobody knows', { ...CLAIMS, scope: ['root'] }],
    ['have no jti', { ...CLAIMS, jti: undefined }],
    ['have a path as jti', { ...CLAIMS, jti: '../../x-000' }],
    ['have a claim nobody knows', { ...CLAIMS, admin: true }],
    ['are a list', '[]'],
    ['are no JSON', 'hello'],
    ['begin with a byte order mark', `\uFEFF${JSON.stringify(CLAIMS)}`],
  ])('claims that %s are refused', async (_, claims) => {
    expect(await signer.verify(await signed(HEADER, claims))).toBeNull()
  })
})

describe('spellings', () => {
  const mangled: readonly (readonly [string, (token: string) => string])[] = [
    ['is empty', () => ''],
    ['is one word', () => 'token'],
    ['has two parts', (token) => token.split('.').slice(0, 2).join('.')],
    ['has four parts', (token) => `${token}.AAAA`],
    ['is padded', (token) => `${token}=`],
    ['ends in white space', (token) => `${token}\n`],
    ['has white space inside', (token) => token.replace('.', ' .')],
    ['uses the other alphabet', (token) => token.replaceAll('_', '/').replaceAll('-', '+') + '+'],
    ['changes the unused bits of its last character', (token) => unusedBitChanged(token)],
    ['is longer than any token', (token) => `${token}${'A'.repeat(9_000)}`],
    ['is not ASCII', (token) => `${token.slice(0, -1)}é`],
  ]

  test.each(mangled)('a token that %s is refused', async (_, mangle) => {
    const token = await signer.sign(CLAIMS)
    expect(mangle(token)).not.toBe(token)
    expect(await signer.verify(mangle(token))).toBeNull()
  })

  test('a token with any one character changed is refused', async () => {
    const token = await signer.sign(CLAIMS)
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(await signer.verify(token.slice(0, at) + other + token.slice(at + 1))).toBeNull()
    }
  })
})

test('a token that jose signs is verified', async () => {
  const secret = Uint8Array.fromBase64(NEW.secret, { alphabet: 'base64url' })
  const byJose = await new SignJWT({ ...CLAIMS }).setProtectedHeader(HEADER).sign(secret)
  expect(await signer.verify(byJose)).toEqual(CLAIMS)
})

test.each([
  ['', 'is malformed'],
  ['{}', 'is malformed'],
  ['[]', 'is malformed'],
  [JSON.stringify([{ kid: 'a', secret: 'short' }]), 'at least 32 bytes'],
  [JSON.stringify([{ kid: 'a', secret: 'A'.repeat(45) }]), 'at least 32 bytes'],
  [JSON.stringify([NEW, NEW]), 'every kid must be there once'],
  [JSON.stringify([{ ...NEW, alg: 'HS256' }]), 'alg'],
])('keys like %s are refused with their reason and without their secret', (keys, reason) => {
  const create = () => createJoseSigner(keys)
  expect(create).toThrow(/^SIGNING_KEYS is malformed/)
  expect(create).toThrow(reason)
  expect(create).not.toThrow(NEW.secret)
})

// 32 bytes are 43 characters: the last one carries 4 bits of the MAC and 2 that decoders ignore.
function unusedBitChanged(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(token.at(-1) ?? '')
  return token.slice(0, -1) + (alphabet[last ^ 1] ?? '')
}
