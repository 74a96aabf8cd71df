import { describe, expect, test } from 'vitest'
import { formatRef, sha256 } from '../../src/domain/digest.ts'
import type { Ref } from '../../src/domain/digest.ts'
import { MAX_EXCERPT_BYTES } from '../../src/domain/memex/excerpt.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'

const mission = 'm'

describe('reading many excerpts at once', () => {
  test('excerpts are answered in the order of the refs, each once, and the missing refs are listed', async () => {
    const api = await memoryApi(memoryDeps())
    const refs: string[] = []
    for (let n = 0; n < 20; n++)
      refs.push((await api.ok('write_excerpt', { mission, body: `excerpt ${n}` })).ref)
    const gone = ['0', '1'].map((digit): Ref => `memex://excerpt/${digit.repeat(64)}` as Ref)
    const [first = '', ...others] = refs.toReversed()
    const asked = [first, gone[0], ...others, first, gone[1]]
    const { items, missing } = await api.ok('read_excerpts', { mission, body: { refs: asked } })
    expect(items.map(({ ref }) => ref)).toEqual([first, ...others])
    expect(items.map(({ text }) => text)).toEqual(refs.map((_, n) => `excerpt ${19 - n}`))
    expect(missing).toEqual(gone)
  })

  test('UTF-8 is answered as text with its BOM, and other bytes as base64', async () => {
    const api = await memoryApi(memoryDeps())
    const bytes = [
      new Uint8Array(),
      new Uint8Array([0xef, 0xbb, 0xbf, 0x61]),
      new Uint8Array([0xff]),
    ]
    const refs = []
    for (const body of bytes) refs.push((await api.ok('write_excerpt', { mission, body })).ref)
    const { items } = await api.ok('read_excerpts', { mission, body: { refs } })
    expect(items).toEqual([
      { ref: refs[0], size: 0, text: '' },
      { ref: refs[1], size: 4, text: '\ufeffa' },
      { ref: refs[2], size: 1, base64: '/w==' },
    ])
  })

  test.each([
    ['control characters', '\u0001'.repeat(60)],
    ['line feeds', '\n'.repeat(60)],
    ['backslashes', '\\'.repeat(60)],
  ])('%s are answered as base64, which is shorter than their escapes', async (_what, text) => {
    const api = await memoryApi(memoryDeps())
    const { ref } = await api.ok('write_excerpt', { mission, body: text })
    const ordinary = await api.ok('write_excerpt', { mission, body: `${text}${'a'.repeat(1200)}` })
    const refs = [ref, ordinary.ref]
    const { items } = await api.ok('read_excerpts', { mission, body: { refs } })
    expect(items).toMatchObject([{ base64: btoa(text) }, { text: `${text}${'a'.repeat(1200)}` }])
  })

  test('a batch whose answer would be over 24 MiB is refused', async () => {
    const api = await memoryApi(memoryDeps())
    const refs: string[] = []
    for (const fill of [0x61, 0x62, 0x63, 0x64]) {
      const body = new Uint8Array(MAX_EXCERPT_BYTES).fill(fill)
      await api.ok('write_excerpt', { mission, body })
      refs.push(formatRef(await sha256(body)))
    }
    const three = await api.ok('read_excerpts', { mission, body: { refs: refs.slice(1) } })
    expect(three.items).toHaveLength(3)
    expect(await api.refused('read_excerpts', { mission, body: { refs } })).toMatchObject({
      status: 413,
      code: 'body_too_large',
    })
  })
})
