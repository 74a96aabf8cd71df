import { describe, expect, test } from 'vitest'
import { createSecretScanner } from '../../../src/adapters/secrets/secretlint.ts'
import { utf8 } from '../../../src/domain/bytes.ts'
import type { Bytes } from '../../../src/domain/bytes.ts'
import { scanBytes } from '../../../src/operations/memex/scan-evidence.ts'
import { PLANTED, plantedKey } from '../../support/planted-secrets.ts'

const deps = { loadSecrets: createSecretScanner() }
const key = PLANTED['AWS access key id'] ?? ''
const password = JSON.stringify({ password: 'kfj3kfjs9dkfj' })

const found = async (bytes: Bytes) =>
  (await scanBytes(deps, bytes)).map(
    ({ rule, start, end }) =>
      `${rule} ${new TextDecoder('latin1').decode(bytes.slice(start, end))}`,
  )

type ByteOrder = (unit: number) => readonly [number, number]
const little: ByteOrder = (unit) => [unit & 0xff, unit >> 8]
const big: ByteOrder = (unit) => [unit >> 8, unit & 0xff]
const utf16 = (text: string, order: ByteOrder) =>
  new Uint8Array(Array.from(text, (one) => order(one.charCodeAt(0))).flat())

/** A text as a JSON string inside of a JSON string, and so on. */
const nested = (text: string, levels: number): string =>
  levels === 0 ? text : nested(JSON.stringify({ body: text }), levels - 1)

describe('a secret', () => {
  test('in UTF-8 is found once, at its bytes', async () => {
    expect(await found(utf8(`caf\u00e9 "\\n" ${key}\n`))).toEqual([`aws ${key}`])
  })

  test('beside a byte that is not UTF-8 is found', async () => {
    const bytes = new Uint8Array([...utf8('caf'), 0xe9, ...utf8(`\n${key}\n`)])
    expect(await found(bytes)).toEqual([`aws ${key}`])
  })

  test.each([
    ['little endian', utf16(`x ${key} y`, little)],
    ['big endian', utf16(`x ${key} y`, big)],
    ['little endian with a BOM', utf16(`\ufeffx ${key} y`, little)],
    ['big endian with a BOM', utf16(`\ufeffx ${key} y`, big)],
    ['little endian, at an odd place', new Uint8Array([65, ...utf16(`x ${key} y`, little)])],
  ])('in UTF-16 is found: %s', async (_what, bytes) => {
    const [one = '', ...more] = await found(bytes)
    expect(one.replaceAll('\0', '')).toBe(`aws ${key}`)
    expect(more).toEqual([])
  })

  test.each([
    ['in JSON', `{"k":"${key.replace('A', '\\u0041')}"}`],
    ['in JSON lines', `{"k":"${key.replace('A', '\\u0041')}"}\n{"k":1}\n`],
    ['in JSON with other text around it', `200 OK "\n{"k":"${key.replace('A', '\\u0041')}"} "`],
    ['below an escaped backslash', JSON.stringify(`"${key.replace('A', '\\u005cu0041')}"`)],
  ])('behind an escape is found: %s', async (_what, text) => {
    expect(await found(utf8(text))).toEqual([
      expect.stringMatching(/^aws \\.*0041/) as unknown as string,
    ])
  })

  test('in PEM as a JSON string in JSON lines is found', async () => {
    const pem = JSON.stringify(await plantedKey())
    expect(await found(utf8(`{"k":${pem}}\n{"k":1}\n`))).toHaveLength(1)
  })

  test.each([1, 2, 3, 6])('in JSON inside of %i JSON strings is found once', async (levels) => {
    expect(await found(utf8(nested(password, levels)))).toEqual(['password kfj3kfjs9dkfj'])
  })
})

test('hostile bytes take time linear in their size', async () => {
  const size = 500_000
  for (const piece of ['\\', '\\n', '\\\\n', '\\u005c', '\\u005cn', '\0', 'a\0', 'a\0\0', '\u00e9'])
    await scanBytes(deps, utf8(piece.repeat(size / piece.length)))
  await scanBytes(deps, new Uint8Array(size).fill(0xff))
  const many = utf8('jo@mail.service.org '.repeat(size / 20))
  expect(await scanBytes(deps, many)).toHaveLength(size / 20)
})
