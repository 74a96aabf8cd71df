import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../src/client/edits.ts'
import { locate, splice } from '../../src/domain/json/source.ts'
import type { FormatName } from '../../src/domain/transcript/lens.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { sourceOf, styles, transcriptArbitraries } from '../support/transcript-arbitraries.ts'

const policies = fc.record({
  trigger: fc.constantFrom({ type: 'always' }, { type: 'percent', value: 50 }),
  keep: fc.integer({ min: 0, max: 3 }),
  min_bytes: fc.constantFrom(0, 64),
})

const memberOf = (answer: string, pointer: string): string => {
  const span = locate(answer, [pointer]).get(pointer)
  if (span === undefined) throw new Error(`no ${pointer}`)
  return answer.slice(span.start, span.end)
}

describe.each(Object.keys(transcriptArbitraries) as FormatName[])(
  'any transcript of %s',
  (format) => {
    const transcripts = transcriptArbitraries[format]

    test('unmask restores what mask was sent, whatever the policy', async () => {
      await fc.assert(
        fc.asyncProperty(transcripts, styles, policies, async (transcript, style, policy) => {
          const deps = memoryDeps()
          const api = await memoryApi(deps)
          const source = sourceOf(transcript, style)
          const call = async (
            name: 'mask' | 'unmask',
            request: string,
            more = '',
          ): Promise<string> => {
            const body = `{"request":${request}${more}}`
            const response = await api.send(name, { mission: 'm', body })
            expect(response.status).toBe(200)
            return await response.text()
          }
          const how = `,"format":"${format}","window_tokens":100,"policy":${JSON.stringify(policy)}`
          const answer = await call('mask', source, how)
          const masked = memberOf(answer, '/request')

          // Every character outside of a masked value stays as it was sent.
          const { decisions } = JSON.parse(answer) as { decisions: { decision: string }[] }
          const { edits } = JSON.parse(await call('mask', source, `${how},"return":"edits"`)) as {
            edits: { pointer: string; placeholder: string; value?: unknown }[]
          }
          expect(edits).toHaveLength(decisions.filter((one) => one.decision === 'masked').length)
          const pointers = edits.map(({ pointer }) => pointer)
          const spans = locate(source, pointers)
          const changes = edits.map(({ pointer, placeholder, value }) => ({
            span: spans.get(pointer) ?? { start: 0, end: 0 },
            text: JSON.stringify(value ?? placeholder),
          }))
          expect(masked).toBe(splice(source, changes))

          // The edits do to the client's own objects what the service does to its text.
          const own = JSON.parse(source) as object
          applyEdits(
            own,
            edits.map(({ pointer, placeholder, value }) => ({
              pointer,
              value: value ?? placeholder,
            })),
          )
          expect(own).toEqual(JSON.parse(masked))

          // Masking twice is masking once.
          const always = how.replace(/"trigger":\{[^}]*\}/, '"trigger":{"type":"always"}')
          const all = memberOf(await call('mask', masked, always), '/request')
          expect(memberOf(await call('mask', all, always), '/request')).toBe(all)

          for (const request of [masked, all]) {
            const named = `,"format":"${format}"`
            const back = memberOf(await call('unmask', request, named), '/request')
            expect(JSON.parse(back)).toEqual(JSON.parse(source))
            // The values of edits are spelled as they are in the restored request.
            const answered = await call('unmask', request, `${named},"return":"edits"`)
            const { edits: restored } = JSON.parse(answered) as { edits: { pointer: string }[] }
            const places = locate(
              request,
              restored.map(({ pointer }) => pointer),
            )
            const values = restored.map(({ pointer }, index) => ({
              span: places.get(pointer) ?? { start: 0, end: 0 },
              text: memberOf(answered, `/edits/${index}/value`),
            }))
            expect(splice(request, values)).toBe(back)
          }
          expect(deps.reports).toEqual([])
        }),
        { numRuns: 50 },
      )
    })
  },
)
