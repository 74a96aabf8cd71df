import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatCursor } from '../../../src/domain/cursor.ts'
import { filePage } from '../../../src/mcp/tools/file-page.ts'
import type { FilePage } from '../../../src/mcp/tools/file-page.ts'

/** All parts of a file, as a client reads it on. */
function pages(file: string): readonly FilePage[] {
  const all: FilePage[] = []
  let cursor: string | undefined
  do {
    const page = filePage('findings.md', file, cursor)
    if (page === null) throw new Error('the cursor was not taken back')
    all.push(page)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return all
}

const linesIn = (text: string): number =>
  text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)

describe('a page of a file', () => {
  it('has at most 100 lines, and says which they are', () => {
    const file = Array.from({ length: 250 }, (_, i) => `line ${i + 1}\r\n`).join('')
    const all = pages(file)
    expect(all.map(({ from_line, to_line }) => [from_line, to_line])).toEqual([
      [1, 100],
      [101, 200],
      [201, 250],
    ])
    expect(all[1]?.text.startsWith('line 101\r\n')).toBe(true)
    expect(all.at(-1)?.next_cursor).toBeNull()
  })

  it('is the whole of a short file, with or without a last line end, or of an empty one', () => {
    expect(pages('a\nb')).toEqual([{ text: 'a\nb', from_line: 1, to_line: 2, next_cursor: null }])
    expect(pages('a\nb\n')).toMatchObject([{ text: 'a\nb\n', to_line: 2 }])
    expect(pages('')).toEqual([{ text: '', from_line: 1, to_line: 1, next_cursor: null }])
  })

  it('shows a piece of a line that is too long for one page, never half a character', () => {
    const file = `first\n${'😀'.repeat(40_000)}x\nlast`
    const all = pages(file)
    expect(all[0]).toMatchObject({ text: 'first\n', from_line: 1, to_line: 1 })
    expect(all.every(({ text }) => text.isWellFormed() && text.length <= 32_768)).toBe(true)
    expect(all.at(-1)).toMatchObject({ from_line: 2, to_line: 3 })
    expect(all.at(-1)?.text.endsWith('x\nlast')).toBe(true)
  })

  it('makes up the file together with all other pages, whatever is in it', () => {
    const line = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constant('\n'))
    const long = fc.integer({ min: 0, max: 70_000 }).map((length) => 'é'.repeat(length))
    const file = fc.array(fc.oneof({ weight: 30, arbitrary: line }, long), { maxLength: 400 })
    fc.assert(
      fc.property(file, (parts) => {
        const text = parts.join('')
        const all = pages(text)
        expect(all.map((page) => page.text).join('')).toBe(text)
        for (const page of all) expect(linesIn(page.text)).toBeLessThanOrEqual(100)
        expect(all.at(-1)?.to_line).toBe(Math.max(linesIn(text), 1))
      }),
      { numRuns: 200 },
    )
  })

  it('is refused for a cursor that is made up or belongs to another file or list', () => {
    const page = filePage('map.md', 'x\n'.repeat(200), undefined)
    for (const cursor of [
      page?.next_cursor ?? '',
      formatCursor(['findings.md', -1, 1]),
      formatCursor(['findings.md', 1.5, 1]),
      formatCursor(['findings.md', 'a', 'b']),
      formatCursor(['2026-11-30T09:00:00.000Z']),
      'nonsense',
    ])
      expect(filePage('findings.md', 'x\n'.repeat(200), cursor)).toBeNull()
  })

  it('is empty past the end of a file that became shorter', () => {
    const cursor = formatCursor(['findings.md', 5000, 101])
    expect(filePage('findings.md', 'short', cursor)).toEqual({
      text: '',
      from_line: 101,
      to_line: 101,
      next_cursor: null,
    })
  })
})
