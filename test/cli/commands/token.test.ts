import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { base64url, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { claims } from '../../../src/domain/access/claims.ts'
import { emptyFolder, foldex } from '../foldex.ts'

const key = { kid: 'k1', secret: 'dGVzdC1rZXktb2YtZm9sZGV4LXRoaXJ0eS10d28tYnl0ZXM' }
const older = { kid: 'k0', secret: 'b2xkZXIta2V5LW9mLWZvbGRleC10aGlydHktdHdvLWJ5dGU' }
const SIGNING_KEYS = JSON.stringify([key, older])

const verify = (token: string) => jwtVerify(token.trim(), base64url.decode(key.secret))

describe('foldex token', () => {
  it('signs with the first key, HS256, and names it in the header', async () => {
    const { code, stdout } = await foldex(['token'], { env: { SIGNING_KEYS } })
    expect(code).toBe(0)
    const { payload, protectedHeader } = await verify(stdout)
    expect(protectedHeader).toEqual({ alg: 'HS256', kid: 'k1', typ: 'JWT' })
    expect(claims.parse(payload)).toMatchObject({ tenant: 'local', scope: ['admin'] })
    expect(payload.exp! - payload.iat!).toBe(30 * 24 * 3600)
  })

  it('narrows tenant, scopes, mission and life as asked', async () => {
    const args = ['token', '--tenant', 'acme', '--scope', 'memex:read', 'fold:read']
    args.push('--mission', 'm1', '--expires', '8h', '--json')
    const { code, stdout } = await foldex(args, { env: { SIGNING_KEYS } })
    expect(code).toBe(0)
    const { token, jti, expires_at } = JSON.parse(stdout)
    const { payload } = await verify(token)
    expect(payload).toMatchObject({
      tenant: 'acme',
      scope: ['memex:read', 'fold:read'],
      mission: 'm1',
      jti,
    })
    expect(payload.exp! - payload.iat!).toBe(8 * 3600)
    expect(expires_at).toBe(new Date(payload.exp! * 1000).toISOString())
  })

  it('reads keys from a JSON list, from an env file, and from the nearest .foldex folder', async () => {
    const folder = emptyFolder()
    const below = join(folder, 'a', 'b')
    mkdirSync(below, { recursive: true })
    mkdirSync(join(folder, '.foldex'))
    writeFileSync(join(folder, 'keys.json'), SIGNING_KEYS)
    writeFileSync(join(folder, '.foldex', 'worker.env'), `A=1\nSIGNING_KEYS='${SIGNING_KEYS}'\n`)
    const runs = [
      foldex(['token', '--keys', join(folder, 'keys.json')]),
      foldex(['token', '--keys', join(folder, '.foldex', 'worker.env')]),
      foldex(['token'], { cwd: below }),
    ]
    for (const { code, stdout } of await Promise.all(runs)) {
      expect(code).toBe(0)
      await verify(stdout)
    }
  })

  it('says in one line what is wrong, without a key in it, and exits with 1', async () => {
    const bad = JSON.stringify([{ kid: 'k1', secret: 'short-secret-value' }])
    const env = { SIGNING_KEYS }
    const cases: ReadonlyArray<[Promise<{ code: number | null; stderr: string }>, RegExp]> = [
      [foldex(['token']), /^error: no signing keys: .*npm start.*\n$/],
      [foldex(['token', '--keys', 'missing.json']), /^error: no signing keys: can't read .*\n$/],
      [foldex(['token'], { env: { SIGNING_KEYS: bad } }), /^error: SIGNING_KEYS: 0\.secret .*\n$/],
      [foldex(['token'], { env: { SIGNING_KEYS: '{' } }), /^error: SIGNING_KEYS: not JSON\n$/],
      [foldex(['token', '--expires', '31d'], { env }), /^error: expires_in_s must be .*\n$/],
      [foldex(['token', '--expires', 'soon'], { env }), /^error: .*like 8h/],
      [foldex(['token', '--tenant', 'a/b'], { env }), /^error: tenant must match .*\n$/],
      [
        foldex(['token', '--scope', 'fold:submit', 'fold:check'], { env }),
        /^error: fold:submit and fold:check .*\n$/,
      ],
      [
        foldex(['token', '--scpe', 'admin'], { env }),
        /unknown option '--scpe'\n\(Did you mean --scope/,
      ],
      [foldex(['tokn'], { env }), /unknown command 'tokn'\n\(Did you mean token/],
    ]
    for (const [run, line] of cases) {
      const { code, stderr } = await run
      expect(stderr).toMatch(line)
      expect(stderr).not.toContain('short-secret-value')
      expect(code).toBe(1)
    }
  })
})
