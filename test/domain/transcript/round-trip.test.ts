import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256, type Ref, digestOfRef } from '../../../src/domain/digest.ts'
import { resolvePointer } from '../../../src/domain/json/pointer.ts'
import { locate } from '../../../src/domain/json/source.ts'
import type { PolicyInput } from '../../../src/domain/mission/policy.ts'
import { look, mask, unmask, type MaskOptions } from '../../support/masking.ts'
import { sourceOf, styles, transcriptArbitraries } from '../../support/transcript-arbitraries.ts'

// A longer run by hand: RUNS=5000 vitest …
const RUNS = Number(process.env['RUNS'] ?? 60)

const options = fc.record({
  keep: fc.nat(4),
  always: fc.boolean(),
  min_bytes: fc.constantFrom(0, 300),
  percent: fc.integer({ min: 50, max: 120 }),
  wrapped: fc.boolean(),
})

/** What stands around the values of the pointers: must not change. */
function around(source: string, pointers: readonly string[]): string[] {
  const spans = [...locate(source, pointers).values()].toSorted((a, b) => a.start - b.start)
  expect(spans).toHaveLength(pointers.length)
  const ends = [0, ...spans.map(({ end }) => end)]
  return ends.map((from, index) => source.slice(from, spans[index]?.start))
}

describe.each(Object.entries(transcriptArbitraries))('any transcript of %s', (name, arbitrary) => {
  test('comes back, and nothing but old tool outputs ever changes', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, styles, options, async (request, style, chosen) => {
        const inner = sourceOf(request, style)
        const source = chosen.wrapped ? `{"a": 1.0, "request" : ${inner}}` : inner
        const root = chosen.wrapped ? '/request' : ''
        const policy: PolicyInput = {
          trigger: chosen.always ? { type: 'always' } : { type: 'percent' },
          keep: chosen.keep,
          min_bytes: chosen.min_bytes,
        }
        const window_tokens = 2000
        const meter = { percent: chosen.percent, window_tokens }
        const given: MaskOptions = { policy, root, meter }
        const before = look(source, root)
        if (before.results.length > 0) expect(before.lens.formats).toEqual([name])

        const done = await mask(source, given)
        const after = look(done.source, root)

        // Only the masked values changed, in the source itself.
        const targets = done.edits.map(({ pointer }) => root + pointer)
        expect(around(done.source, targets)).toEqual(around(source, targets))

        // Messages, calls, results and their ids are the same; so is the tail that is kept.
        expect(after.reading.calls).toEqual(before.reading.calls)
        expect(after.reading.turns).toBe(before.reading.turns)
        expect(after.results.map(identity)).toEqual(before.results.map(identity))
        const masked: unknown = JSON.parse(done.source)
        const original: unknown = JSON.parse(source)
        const kept = before.results.slice(Math.max(0, before.results.length - chosen.keep))
        for (const { whole } of kept)
          expect(resolvePointer(masked, root + whole.pointer)).toEqual(
            resolvePointer(original, root + whole.pointer),
          )

        // No result costs more, and the savings are what the plan says.
        before.results.forEach(({ pointer }, index) => {
          const was = before.counted.by_result.get(pointer) ?? 0
          const now = after.counted.by_result.get(after.results[index]?.pointer ?? '') ?? 0
          expect(now).toBeLessThanOrEqual(was)
        })
        expect(after.counted.tokens).toBe(before.counted.tokens - done.plan.saved_tokens)

        // Every ref resolves, to bytes with that digest.
        for (const { ref } of done.edits) {
          const bytes = done.memory.excerpts.get(ref ?? '') as Uint8Array<ArrayBuffer>
          expect(await sha256(bytes)).toBe(digestOfRef(ref as Ref))
        }

        // Masking twice is masking once.
        const again = await mask(done.source, {
          ...given,
          meter: { percent: done.plan.percent_after, window_tokens },
          memory: { ...done.memory, records: [...done.memory.records] },
        })
        expect(again.source).toBe(done.source)

        // And everything comes back.
        const back = unmask(done.source, done.memory, root)
        expect(JSON.parse(back.source)).toEqual(original)
        expect(back.edits).toHaveLength(done.edits.length)
        expect(around(back.source, targets)).toEqual(around(source, targets))
      }),
      { numRuns: RUNS },
    )
  })
})

const identity = ({
  call_id,
  tool,
  turn,
  occurrence,
  is_error,
}: ReturnType<typeof look>['results'][0]) => [call_id, tool, turn, occurrence, is_error]
