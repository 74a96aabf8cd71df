import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/domain/secrets/finding.ts'
import { secret } from '../../../src/domain/secrets/finding.ts'
import { scanInWindows } from '../../../src/domain/secrets/windows.ts'

/** A rule like those of secretlint: a word of its own, of some length. */
const rule = (text: string): Promise<readonly Finding[]> =>
  Promise.resolve(
    [...text.matchAll(/(?<![A-Z])KEY[A-Z]{5,4000}(?![A-Z])/g)].map(({ 0: match, index }) =>
      secret('key', index, index + match.length),
    ),
  )

describe('scanning in windows', () => {
  it('finds what one scan of the whole text finds, wherever it stands', async () => {
    const gap = fc.integer({ min: 0, max: 70_000 })
    const long = fc.integer({ min: 5, max: 4000 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(gap, long), { maxLength: 5 }),
        fc.constantFrom(' ', 'A', '\n'),
        async (keys, filler) => {
          const text = keys
            .map(([before, length]) => `${filler.repeat(before)}.KEY${'B'.repeat(length)}.`)
            .join('')
          expect(await scanInWindows(text, rule)).toEqual(await rule(text))
        },
      ),
      { numRuns: 60 },
    )
  })

  it('gives a rule one window at a time, and in few windows the whole text', async () => {
    const seen: number[] = []
    const text = 'x'.repeat(1_000_000)
    await scanInWindows(text, (window) => {
      seen.push(window.length)
      return Promise.resolve([])
    })
    expect(Math.max(...seen)).toBe(65_536)
    expect(seen.length).toBeLessThan(25)
    expect(await scanInWindows('', rule)).toEqual([])
  })
})
