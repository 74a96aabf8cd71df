import { beforeAll, describe, expect, test } from 'vitest'
import { createTokenizer } from '../../../src/adapters/tokens/gpt-tokens.ts'
import { utf8Text } from '../../../src/domain/bytes.ts'
import { digestOfRef, sha256, type Ref } from '../../../src/domain/digest.ts'
import { resolvePointer } from '../../../src/domain/json/pointer.ts'
import type { PolicyInput } from '../../../src/domain/mission/policy.ts'
import type { CountTokens } from '../../../src/domain/tokens.ts'
import { corpusText, hasCorpus, withoutCorpus } from '../../support/corpus.ts'
import { always, look, mask, unmask } from '../../support/masking.ts'

const KEEP = 3
const percent: PolicyInput = { trigger: { type: 'percent', value: 70 } }
const files = [
  ['anthropic-coding-session.json', 'anthropic_messages'],
  ['openai-airline-sessions.json', 'openai_chat'],
] as const

interface Row {
  readonly file: string
  readonly trigger: string
  sessions: number
  results: number
  masked: number
  tokens: number
  saved: number
}

describe.skipIf(!hasCorpus)(`real sessions${withoutCorpus}`, () => {
  let count: CountTokens
  beforeAll(async () => {
    count = await createTokenizer()()
  })

  describe.each(files)('%s', (file, format) => {
    test.each([
      ['always', always],
      ['percent', percent],
    ] as const)('with trigger %s', async (trigger, policy) => {
      const row: Row = { file, trigger, sessions: 0, results: 0, masked: 0, tokens: 0, saved: 0 }
      for (const source of corpusRequests(file)) {
        const before = look(source, '', count)
        expect(before.lens.formats).toEqual([format])
        // A window that the session fills to 80 percent, so that `percent` has to work.
        const window_tokens = Math.ceil(before.counted.tokens / 0.8)
        const meter = { percent: 80, window_tokens }
        const done = await mask(source, { policy, count, meter })
        const after = look(done.source, '', count)

        row.sessions += 1
        row.results += before.results.length
        row.masked += done.plan.masked + done.plan.postponed
        row.tokens += before.counted.tokens
        row.saved += done.plan.saved_tokens

        const original: unknown = JSON.parse(source)
        const masked: unknown = JSON.parse(done.source)
        expect(JSON.parse(unmask(done.source, done.memory).source)).toEqual(original)

        // Again, with the meter as it then stands: nothing changes.
        const again = await mask(done.source, {
          policy,
          count,
          meter: { percent: done.plan.percent_after, window_tokens },
          memory: done.memory,
        })
        // What one call may not store is masked by the next, and then nothing changes any more.
        expect(again.plan.masked).toBe(done.plan.postponed)
        if (done.plan.postponed === 0) expect(again.source).toBe(done.source)

        for (const [ref, bytes] of done.memory.excerpts)
          expect(await sha256(bytes as Uint8Array<ArrayBuffer>)).toBe(digestOfRef(ref as Ref))
        for (const edit of done.edits) expect(done.memory.excerpts.has(edit.ref ?? '')).toBe(true)

        const identity = ({
          call_id,
          tool,
          turn,
          occurrence,
          is_error,
        }: (typeof before.results)[0]) => [call_id, tool, turn, occurrence, is_error]
        expect(after.results.map(identity)).toEqual(before.results.map(identity))
        expect(after.reading.calls).toEqual(before.reading.calls)
        for (const [index, { pointer }] of before.results.entries()) {
          const was = before.counted.by_result.get(pointer) ?? 0
          expect(after.counted.by_result.get(pointer) ?? 0).toBeLessThanOrEqual(was)
          if (index >= before.results.length - KEEP)
            expect(resolvePointer(masked, pointer)).toEqual(resolvePointer(original, pointer))
        }
        // Everything but the masked texts is the same: put them back and the whole is equal.
        expect(after.counted.tokens).toBe(before.counted.tokens - done.plan.saved_tokens)
      }
      console.log(
        `${row.file} ${trigger}: ${row.sessions} sessions, ${row.masked} of ${row.results} results masked, ` +
          `${row.saved} of ${row.tokens} tokens saved`,
      )
      if (trigger === 'always') expect(row.masked).toBeGreaterThan(0)
    })
  })

  test('the stored bytes of the coding session are what the tools printed', async () => {
    const [source = ''] = corpusRequests('anthropic-coding-session.json')
    const request: unknown = JSON.parse(source)
    const { results } = look(source)
    expect(results).toHaveLength(373)
    const done = await mask(source, { count })
    for (const { pointer, ref } of done.edits) {
      expect(pointer).toMatch(/\/content\/0\/text$/)
      expect(utf8Text(done.memory.excerpts.get(ref ?? '') as Uint8Array)).toBe(
        resolvePointer(request, pointer),
      )
    }
  })
})

/** The requests of a file as JSON source: its own, or one per session. */
function corpusRequests(name: string): string[] {
  const source = corpusText(name)
  const parsed: unknown = JSON.parse(source)
  return Array.isArray(parsed)
    ? parsed.map((session: { messages: unknown }) => JSON.stringify({ messages: session.messages }))
    : [source]
}
