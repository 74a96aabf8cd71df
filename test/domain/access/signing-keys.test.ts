import { describe, expect, it } from 'vitest'
import { signingKeys } from '../../../src/domain/access/signing-keys.ts'

const secret = 'dGVzdC1rZXktb2YtZm9sZGV4LXRoaXJ0eS10d28tYnl0ZXM'

describe('signingKeys', () => {
  it('accepts a list of keys, so that keys can rotate', () => {
    const keys = [
      { kid: 'new', secret },
      { kid: 'old', secret },
    ]
    expect(signingKeys.parse(keys)).toEqual(keys)
  })

  it('refuses an empty list, a short secret, padding, an unknown member, a duplicate kid and a lone key', () => {
    const refused = [
      [],
      [{ kid: 'a', secret: secret.slice(0, 42) }],
      [{ kid: 'a', secret: `${secret}=` }],
      [{ kid: 'a', secret, alg: 'none' }],
      [
        { kid: 'a', secret },
        { kid: 'a', secret },
      ],
      { kid: 'a', secret },
    ]
    for (const keys of refused) expect(signingKeys.safeParse(keys).success).toBe(false)
  })
})
