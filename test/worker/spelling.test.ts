import { beforeAll, describe, expect, test } from 'vitest'
import { applyEdits } from '../../src/client/edits.ts'
import { locate, splice } from '../../src/domain/json/source.ts'
import type { Api } from '../support/api.ts'
import { freshOwner } from '../support/fresh.ts'
import { toolOutput } from '../support/session.ts'
import { text } from '../support/transcripts.ts'
import { workerApi } from '../support/worker.ts'

const policy = '{"trigger":{"type":"always"},"keep":1}'
const long = JSON.stringify(text(1200))

/** A request as no JSON library writes it: odd spaces, escapes, numbers and unknown keys. */
const odd = (
  results: string,
): string => `{ "x_seed" : 12345678901234567890 ,\r\n\t"temperature":1.0,
  "limit": 1e400, "minus":-0, "exp": 1E+2, "\\u0062ias":{"b":1,"a":2,"1":3,"a":4},
  "messages" :[ {"content":"caf\\u00e9 \\/ \\ud83d\\ude00 caf\u00e9","role":"user"},
  ${results} , {"role":"assistant","content":"Done.","n":9007199254740993} ] , "z":[ ]}`

const call = (id: string, extra = ''): string =>
  `{"role":"assistant","content":[{"type":"tool_use","id":"${id}","name":"read","input":{"n":1.50}${extra}}]}`
const result = (id: string, content: string): string =>
  `{"role":"user", "content" : [{"type":"tool_result","x":0.10,"tool_use_id":"${id}", "content" : ${content}}]}`

const SOURCE = odd(
  [
    call('c1', ',"cache_control":{"type":"ephemeral", "ttl":1.0}'),
    result('c1', long),
    call('c2'),
    result('c2', `[ {"type":"text", "text" : ${long} , "citations":null} ]`),
    call('c3'),
    result('c3', `[{"n":1.0,"type":"text","text":${long}},{"type":"text","text":"caf\\u00e9"}]`),
    call('c4'),
    result('c4', `"caf\\u00e9 \\u2028 \\"${'line '.repeat(300)}"`),
    call('c5'),
    result('c5', '"the last one stays"'),
  ].join(',\n\n'),
)

/** The text of a member of an answer, as it was sent. */
function member(answer: string, pointer: string): string {
  const span = locate(answer, [pointer]).get(pointer)
  if (span === undefined) throw new Error(`no ${pointer}`)
  return answer.slice(span.start, span.end)
}

describe('outside of masked results', () => {
  const { tenant, mission } = freshOwner()
  let api: Api

  beforeAll(async () => {
    api = await workerApi(tenant)
  })

  const mask = async (source: string, more = ''): Promise<string> => {
    const body = `{"policy":${policy} , "request" :\n${source}\n${more}}`
    return (await api.send('mask', { mission, body })).text()
  }

  test('every character of the request stays as it was sent', async () => {
    const answer = await mask(SOURCE)
    const { decisions, masked } = JSON.parse(answer) as {
      masked: number
      decisions: { pointer: string; decision: string }[]
    }
    expect(masked).toBe(4)
    const after = member(answer, '/request')
    const pointers = decisions.slice(0, -1).map(({ pointer }) => pointer)
    const [before, now] = [locate(SOURCE, pointers), locate(after, pointers)]
    const edits = pointers.map((pointer) => {
      const [was, is] = [before.get(pointer), now.get(pointer)]
      if (was === undefined || is === undefined) throw new Error(pointer)
      const placeholder = after.slice(is.start, is.end)
      expect(placeholder).toMatch(/^"\[Tool: read\. Output masked\. See memex:[^"]*\]"$/)
      return { span: was, text: placeholder }
    })
    expect(after).toBe(splice(SOURCE, edits))
  })

  test('unmask restores the values, and leaves everything else as it was sent', async () => {
    const masked = member(await mask(SOURCE), '/request')
    const answer = await api.send('unmask', { mission, body: `{"request":${masked}}` })
    const restored = member(await answer.text(), '/request')
    expect(JSON.parse(restored)).toEqual(JSON.parse(SOURCE))
    // A text is restored as JSON.stringify writes it; a value that was stored as JSON keeps its spelling.
    const respelt = SOURCE.replace('"caf\\u00e9 \\u2028', '"café \u2028')
    expect(restored).toBe(respelt)
  })

  test('edits applied to the objects of the client give what the service answers', async () => {
    const request = JSON.parse(member(await mask(SOURCE), '/request')) as object
    const { edits } = JSON.parse(await mask(SOURCE, ',"return":"edits"')) as {
      edits: { pointer: string; placeholder: string; value?: unknown }[]
    }
    const own = JSON.parse(SOURCE) as object
    const changes = edits.map(({ pointer, placeholder, value }) => ({
      pointer,
      value: value ?? placeholder,
    }))
    expect(applyEdits(own, changes)).toEqual(request)
    const back = await api.ok('unmask', {
      mission,
      body: { request: own, return: 'edits' },
    })
    expect(applyEdits(own, back.edits as { pointer: string; value: unknown }[])).toEqual(
      JSON.parse(SOURCE),
    )
  })

  test('the last of two request members is the request', async () => {
    const other = '{"messages":[{"role":"user","content":"not this one"}]}'
    const body = `{"request":${other},"policy":${policy},"request":${SOURCE}}`
    const answer = await (await api.send('mask', { mission, body })).text()
    expect(JSON.parse(answer)).toMatchObject({ format: 'anthropic_messages' })
    expect(answer).not.toContain('not this one')
  })

  test('a bare list of messages is a request too', async () => {
    const list = member(SOURCE, '/messages')
    const answer = await mask(list)
    // The same results as in the request before: they were masked, and stay so.
    expect(JSON.parse(answer)).toMatchObject({
      masked_before: 4,
      first_changed_pointer: null,
    })
    const unmasked = await api.send('unmask', {
      mission,
      body: `{"request":${member(answer, '/request')}}`,
    })
    expect(JSON.parse(member(await unmasked.text(), '/request'))).toEqual(JSON.parse(list))
  })

  test('a result of 700 KB is masked and restored', async () => {
    const output = toolOutput(700_000, 7)
    const source = odd(
      [call('big'), result('big', JSON.stringify(output)), call('s'), result('s', '"x"')].join(),
    )
    const answer = await mask(source)
    expect(answer.length).toBeLessThan(4000)
    const ref = /memex:\/\/excerpt\/([0-9a-f]{64})/.exec(answer)?.[1] ?? ''
    const bytes = await api.ok('read_excerpt', { mission, sha256: ref })
    expect(new TextDecoder().decode(bytes)).toBe(output)
    const back = await api.ok('unmask', {
      mission,
      body: `{"request":${member(answer, '/request')}}`,
    })
    expect(back.request).toEqual(JSON.parse(source))
  })
})
