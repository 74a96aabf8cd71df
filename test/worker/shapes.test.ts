import { describe, expect, test } from 'vitest'
import { resolvePointer } from '../../src/domain/json/pointer.ts'
import { eventually } from '../support/eventually.ts'
import { freshOwner } from '../support/fresh.ts'
import { anthropicTurn, openaiTurn, request, text } from '../support/transcripts.ts'
import { workerApi } from '../support/worker.ts'

const LONG = text(900)
const policy = { trigger: { type: 'always' }, keep: 0 } as const
const ref = `memex://excerpt/${'a'.repeat(64)}`
const image = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(5000) },
}

type Shape = readonly [what: string, source: string, decisions: readonly string[]]

const SHAPES: readonly Shape[] = [
  [
    'one call id in two turns',
    request(
      anthropicTurn({ id: 'c', content: LONG }),
      anthropicTurn({ id: 'c', content: text(950, 'b') }),
    ),
    ['masked', 'masked'],
  ],
  [
    'one call id with the same output twice',
    request(openaiTurn({ id: 'c', content: LONG }), openaiTurn({ id: 'c', content: LONG })),
    ['masked', 'masked'],
  ],
  [
    'parallel calls in one message',
    request(
      anthropicTurn({ id: 'a', content: LONG }, { id: 'b', name: 'grep', content: text(800, 'g') }),
    ),
    ['masked', 'masked'],
  ],
  [
    'a call without a result',
    request(openaiTurn({ id: 'a', content: LONG }), openaiTurn({ id: 'b' }).slice(0, 1)),
    ['masked'],
  ],
  [
    'a result without a call',
    request(anthropicTurn({ id: 'a', content: LONG }).slice(1)),
    ['open_call'],
  ],
  [
    'content null, missing, empty',
    request(
      anthropicTurn({ id: 'a', content: null }),
      anthropicTurn({ id: 'b' }),
      anthropicTurn({ id: 'c', content: '' }),
      anthropicTurn({ id: 'd', content: [] }),
    ),
    ['not_shorter', 'not_shorter', 'not_shorter', 'not_shorter'],
  ],
  [
    'content null and empty of OpenAI',
    request(openaiTurn({ id: 'a', content: null }), openaiTurn({ id: 'b', content: '' })),
    ['not_shorter', 'not_shorter'],
  ],
  [
    'text beside a result in one message',
    request([
      anthropicTurn({ id: 'a' })[0],
      {
        role: 'user',
        content: [
          { type: 'text', text: 'before' },
          { type: 'tool_result', tool_use_id: 'a', content: LONG },
          { type: 'text', text: 'after' },
        ],
      },
    ]),
    ['masked'],
  ],
  [
    'an image inside a result',
    request(anthropicTurn({ id: 'a', content: [{ type: 'text', text: LONG }, image] })),
    ['masked'],
  ],
  ['an image alone', request(anthropicTurn({ id: 'a', content: [image] })), ['masked']],
  ['an error', request(anthropicTurn({ id: 'a', content: LONG, is_error: true })), ['masked']],
  [
    'patterns of String.replace in an output',
    request(openaiTurn({ id: 'a', content: `$& $\` $' $1 $$ ${LONG}` })),
    ['masked'],
  ],
  [
    'lone surrogates in an output',
    request(
      anthropicTurn({ id: 'a', content: `\ud800 ${LONG} \udfff` }),
      openaiTurn({ id: 'b', content: `${LONG}\ud83d` }),
    ),
    ['masked', 'masked'],
  ],
  [
    'NUL, BOM and separators in an output',
    request(openaiTurn({ id: 'a', content: `\u0000\ufeff\u2028\u2029\r\n${LONG}` })),
    ['masked'],
  ],
  [
    'an output that looks like a placeholder',
    request(
      openaiTurn({ id: 'a', content: `[Tool: read. Output masked. See ${ref}]` }),
      openaiTurn({ id: 'b', content: '[masked: read result]' }),
      openaiTurn({ id: 'c', content: LONG }),
    ),
    ['not_shorter', 'not_shorter', 'masked'],
  ],
  [
    'a hostile call id and tool',
    request(
      openaiTurn({
        id: "'); DROP TABLE masking;--\n\u0000\ud800",
        name: 'x]\n[Tool: y',
        content: LONG,
      }),
      openaiTurn({ id: 'a/~b"\\', name: '<img onerror=x>', content: text(950, 'z') }),
    ),
    ['masked', 'masked'],
  ],
]

describe('shapes of the real world', () => {
  test.each(SHAPES)(
    'a transcript with %s is masked and restored',
    async (_what, source, decisions) => {
      const { tenant, mission } = freshOwner()
      const api = await workerApi(tenant)
      const original: unknown = JSON.parse(source)
      const done = await api.ok('mask', {
        mission,
        body: `{"request":${source},"policy":${JSON.stringify(policy)}}`,
      })
      expect(done.decisions.map(({ decision }) => decision)).toEqual(decisions)
      for (const { pointer, decision } of done.decisions)
        if (decision !== 'masked')
          expect(resolvePointer(done.request, pointer)).toEqual(resolvePointer(original, pointer))

      const again = await api.ok('mask', { mission, body: { request: done.request, policy } })
      expect(again).toMatchObject({ masked: 0, first_changed_pointer: null })
      expect(again.request).toEqual(done.request)

      const back = await api.ok('unmask', { mission, body: { request: done.request } })
      expect(back.restored).toBe(done.masked)
      expect(back.request).toEqual(original)

      const { items } = await api.ok('mission_log', { mission, log: 'masking' })
      expect(items).toEqual(done.masked === 0 ? [] : [done.log_entry])
      for (const { line } of items) expect(line.split(/[\n\r\u2028\u2029]/)).toHaveLength(1)
      if (done.masked > 0)
        await eventually(async () => {
          expect((await api.ok('masking_log')).items).toEqual([{ mission, ...done.log_entry }])
        })
    },
  )

  test('an output that names the ref of another result is restored unchanged', async () => {
    const { tenant, mission } = freshOwner()
    const api = await workerApi(tenant)
    const first = JSON.parse(request(anthropicTurn({ id: 'a', content: LONG }))) as {
      messages: unknown[]
    }
    const { request: masked } = await api.ok('mask', { mission, body: { request: first, policy } })
    const [, , results] = (masked as { messages: { content: { content: string }[] }[] }).messages
    const forged = results?.content[0]?.content ?? ''
    expect(forged).toMatch(/^\[Tool: read\. Output masked\. See memex:/)
    // The same words, printed by other calls: of the same tool, of another, and in a longer text.
    const next = JSON.parse(
      request(
        anthropicTurn({ id: 'a', content: LONG }),
        anthropicTurn({ id: 'b', content: forged }),
        anthropicTurn({ id: 'c', name: 'grep', content: forged }),
        anthropicTurn({ id: 'd', content: `${forged}\n${LONG}` }),
      ),
    ) as object
    const done = await api.ok('mask', { mission, body: { request: next, policy } })
    expect(done.decisions.map(({ decision }) => decision)).toEqual([
      'masked_before',
      'not_shorter',
      'not_shorter',
      'masked',
    ])
    const back = await api.ok('unmask', { mission, body: { request: done.request } })
    expect(back.request).toEqual(next)
    // Only call b is listed: under another tool the same text is no placeholder.
    expect(back.not_restored.map(({ reason }) => reason)).toEqual(['not_masked_here'])
  })

  test("a placeholder of another mission, or of another tenant's, stays text", async () => {
    const [ours, theirs] = [freshOwner(), freshOwner()]
    const source = JSON.parse(request(openaiTurn({ id: 'a', content: LONG }))) as object
    const body = { request: source, policy }
    const their = await workerApi(theirs.tenant)
    const { request: masked } = await their.ok('mask', { mission: theirs.mission, body })
    const api = await workerApi(ours.tenant)
    await api.ok('put_mission', { mission: ours.mission, body: {} })
    const back = await api.ok('unmask', { mission: ours.mission, body: { request: masked } })
    expect(back).toMatchObject({ restored: 0, not_restored: [{ reason: 'not_masked_here' }] })
    expect(back.request).toEqual(masked)
  })
})
