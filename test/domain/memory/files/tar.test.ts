import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/domain/bytes.ts'
import { tarStream } from '../../../../src/domain/memory/files/tar.ts'
import type { TarFile } from '../../../../src/domain/memory/files/tar.ts'
import { unpackTar } from '../../../support/unpack-tar.ts'

const AT = '2026-11-30T15:04:05.006Z'
const file = (path: string, text: string): TarFile => ({ path, at: AT, bytes: utf8(text) })

async function* each(files: readonly TarFile[]) {
  yield* files
}
const archive = async (files: readonly TarFile[]) =>
  new Uint8Array(await new Response(tarStream(each(files))).arrayBuffer())

describe('tarStream', () => {
  it('writes an archive that the system tar unpacks byte for byte', async () => {
    const files = [
      file('mission.md', '# Mission\r\n\ufeffbytes \u0000 stay'),
      file('empty.md', ''),
      file('full-record.md', 'x'.repeat(512)),
      file('extracts/task-123-turn-5.md', 'y'.repeat(513)),
      file(`extracts/${'t'.repeat(64)}-turn-9999999999-9999999999.md`, 'z'.repeat(70_000)),
    ]
    const bytes = await archive(files)
    expect(bytes.length % 512).toBe(0)
    const { files: read, listing } = unpackTar(bytes)
    expect(listing.trim().split('\n')).toHaveLength(files.length)
    expect(listing).toContain('-rw-r--r-- 0/0')
    expect(listing).toContain('2026-11-30 15:04')
    for (const { bytes: original, path } of files)
      expect(read.get(path)).toEqual({
        bytes: new Uint8Array(original),
        mtimeMs: Date.parse('2026-11-30T15:04:05.000Z'),
      })
  })

  it('writes standard ustar: magic, version, checksum and two empty records at the end', async () => {
    const bytes = await archive([file('a.md', 'a')])
    const header = bytes.slice(0, 512)
    expect(new TextDecoder().decode(header.slice(257, 265))).toBe('ustar\u000000')
    expect(String.fromCharCode(header[156] ?? 0)).toBe('0')
    const stated = parseInt(new TextDecoder().decode(header.slice(148, 154)), 8)
    header.fill(0x20, 148, 156)
    expect(header.reduce((sum, byte) => sum + byte, 0)).toBe(stated)
    expect(bytes.slice(-1024).every((byte) => byte === 0)).toBe(true)
    expect(bytes.length).toBe(512 + 512 + 1024)
  })

  it.each([
    ['0001-01-01T00:00:00.000Z', '1970-01-01'],
    ['9999-12-31T23:59:59.999Z', '2242-03-16'],
  ])('writes the nearest time that a header can hold for a file of %s', async (at, day) => {
    expect(unpackTar(await archive([{ ...file('a.md', 'a'), at }])).listing).toContain(day)
  })

  it('writes an archive without files that tar can open', async () => {
    expect(unpackTar(await archive([])).listing).toBe('')
  })

  it('keeps any bytes of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 1100 }), { maxLength: 6 }),
        async (all) => {
          const bytes = await archive(
            all.map((content, index) => ({
              path: `extracts/a-turn-${index}.md`,
              at: AT,
              bytes: new Uint8Array(content),
            })),
          )
          const { files } = unpackTar(bytes)
          for (const [index, content] of all.entries())
            expect(files.get(`extracts/a-turn-${index}.md`)?.bytes).toEqual(content)
        },
      ),
      { numRuns: 20 },
    )
  })

  it('asks for a file only when the reader wants it, and fails where a file fails', async () => {
    const asked: string[] = []
    async function* failing() {
      asked.push('first')
      yield file('a.md', 'a'.repeat(10_000))
      asked.push('second')
      throw new Error('R2 is down')
    }
    const reader = tarStream(failing()).getReader()
    await reader.read()
    expect(asked).toEqual(['first'])
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow('R2 is down')
  })

  it('stops asking when the reader goes away', async () => {
    let closed = false
    async function* endless() {
      try {
        for (;;) yield file('a.md', 'a')
      } finally {
        closed = true
      }
    }
    const reader = tarStream(endless()).getReader()
    await reader.read()
    await reader.cancel()
    expect(closed).toBe(true)
  })
})
