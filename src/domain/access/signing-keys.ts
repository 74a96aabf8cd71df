import * as z from 'zod'

// One character alone at the end is less than a byte: no bytes are written so.
const SECRET = /^[A-Za-z0-9_-]{43,}$/

/** One HS256 key: at least 32 bytes of secret (RFC 7518 section 3.2), base64url without padding. */
const signingKey = z.strictObject({
  kid: z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/),
  secret: z.string().refine((text) => SECRET.test(text) && text.length % 4 !== 1, {
    error: 'must be at least 32 bytes in base64url without padding',
  }),
})
export type SigningKey = z.infer<typeof signingKey>

/**
 * `SIGNING_KEYS`: the first key signs, all of them verify, so that keys can rotate. Two keys of one
 * `kid` would make the map of keys ambiguous.
 */
export const signingKeys = z
  .array(signingKey)
  .min(1)
  .refine((keys) => new Set(keys.map((key) => key.kid)).size === keys.length, {
    error: 'every kid must be there once',
  })
