import { compactVerify, errors, SignJWT } from 'jose'
import * as z from 'zod'
import { claims } from '../../domain/access/claims.ts'
import type { Claims } from '../../domain/access/claims.ts'
import { signingKeys } from '../../domain/access/signing-keys.ts'
import { utf8Text } from '../../domain/bytes.ts'
import type { TokenSigner } from '../../ports.ts'

const ALGORITHM = 'HS256'
/** The largest token that is looked at; the largest that can be minted is under 2 KB. */
const MAX_TOKEN_CHARS = 8_192
/** Nothing that could name a key elsewhere or change the rules: jku, x5u, jwk and crit are refused. */
const header = z.strictObject({
  alg: z.literal(ALGORITHM),
  kid: z.string(),
  typ: z.literal('JWT').optional(),
})

/**
 * Tokens signed with `SIGNING_KEYS`, a JSON list: the first key signs, all verify. Throws when the
 * list is malformed. Times are not judged here: `claimsProblem` of the domain does that.
 */
export function createJoseSigner(keysJson: string): TokenSigner {
  const [first, ...others] = parseKeys(keysJson)
  const secrets = new Map([first, ...others].map(({ kid, secret }) => [kid, secret]))
  return {
    sign: (payload) =>
      new SignJWT({ ...payload })
        .setProtectedHeader({ alg: ALGORITHM, kid: first.kid, typ: 'JWT' })
        .sign(first.secret),

    verify: async (token) => {
      const kid = kidOf(token)
      const secret = kid === null ? undefined : secrets.get(kid)
      return secret === undefined ? null : await verified(token, secret)
    },
  }
}

interface Key {
  readonly kid: string
  readonly secret: Uint8Array
}

function parseKeys(keysJson: string): readonly [Key, ...Key[]] {
  const parsed = signingKeys.safeParse(json(keysJson))
  if (!parsed.success)
    throw new Error(`SIGNING_KEYS is malformed: ${z.prettifyError(parsed.error)}`)
  const [first, ...others] = parsed.data.map(({ kid, secret }) => ({
    kid,
    secret: Uint8Array.fromBase64(secret, { alphabet: 'base64url' }),
  }))
  if (first === undefined) throw new Error('SIGNING_KEYS is malformed: it is empty')
  return [first, ...others]
}

function kidOf(token: string): string | null {
  if (token.length > MAX_TOKEN_CHARS) return null
  const parts = token.split('.').map(canonicalBytes)
  const [head] = parts
  if (parts.length !== 3 || parts.includes(null) || head === null || head === undefined) return null
  const parsed = header.safeParse(json(utf8Text(head)))
  return parsed.success ? parsed.data.kid : null
}

async function verified(token: string, secret: Uint8Array): Promise<Claims | null> {
  try {
    const { payload } = await compactVerify(token, secret, { algorithms: [ALGORITHM] })
    const parsed = claims.safeParse(json(utf8Text(payload)))
    return parsed.success ? parsed.data : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}

/** Bytes of base64url, or null where another spelling of the same bytes would be the true one. */
function canonicalBytes(part: string): Uint8Array | null {
  try {
    const bytes = Uint8Array.fromBase64(part, { alphabet: 'base64url' })
    return bytes.toBase64({ alphabet: 'base64url', omitPadding: true }) === part ? bytes : null
  } catch {
    return null
  }
}

function json(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
