import { describe, expect, it } from 'vitest'
import { utf8 } from '../../src/domain/bytes.ts'
import { digestOfRef, formatRef, parseRef, parseSha256, sha256 } from '../../src/domain/digest.ts'

describe('sha256', () => {
  it('gives the digest of the empty excerpt', async () => {
    expect(await sha256(utf8(''))).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
  })
})

describe('refs', () => {
  it('are a prefix and 64 lower-case hex digits, and nothing else', async () => {
    const digest = await sha256(utf8('abc'))
    expect(digestOfRef(formatRef(digest))).toBe(digest)
    expect(parseRef(`memex://excerpt/${digest}`)).toBe(digest)
    expect(parseRef(`memex://excerpt/${digest.toUpperCase()}`)).toBeNull()
    expect(parseRef(` memex://excerpt/${digest}`)).toBeNull()
    expect(parseSha256(`sha256:${digest}`)).toBeNull()
    expect(parseSha256(digest.slice(1))).toBeNull()
  })
})
