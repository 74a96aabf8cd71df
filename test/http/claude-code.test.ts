import { describe, expect, test } from 'vitest'
import { parseRef } from '../../src/domain/digest.ts'
import { parsePlaceholder } from '../../src/domain/masking/masks/placeholder.ts'
import { always, before } from '../support/faults.ts'
import type { Plan } from '../support/faults.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { rootToken } from '../support/tokens.ts'

const mission = 'm-1'
const LINES = 6000
const long = (word: string): string =>
  Array.from({ length: LINES }, (_, index) => `${word} ${index + 1}`).join('\n')

/** A service that Claude Code calls with a token for its hooks. */
async function service(plans: { memex?: Plan; missions?: Plan } = {}) {
  const deps = memoryDeps(plans)
  const api = await memoryApi(deps)
  const signer = deps.signer ?? expect.fail('no signer')
  const token = await rootToken(signer, 'acme', { scope: ['hooks:ingest'] })
  const send = async (hook: object | string) => {
    const body = typeof hook === 'string' ? hook : JSON.stringify(hook)
    const response = await api.send('receive_claude_code_hook', { mission, token, body })
    return { status: response.status, text: await response.text() }
  }
  return { api, deps, send }
}

const postToolUse = (tool_name: string, tool_response: unknown, rest: object = {}) => ({
  session_id: 'b7c1',
  transcript_path: '/home/a/.claude/t.jsonl',
  cwd: '/home/a',
  hook_event_name: 'PostToolUse',
  tool_name,
  tool_input: { path: 'a' },
  tool_response,
  tool_use_id: `toolu_${tool_name}`,
  ...rest,
})

const RESPONSES: readonly [tool: string, of: (text: string) => unknown][] = [
  ['Bash', (stdout) => ({ stdout, stderr: '', interrupted: false, isImage: false })],
  ['Bash', (stdout) => ({ stdout, stderr: 'warning: old', interrupted: true, isImage: false })],
  [
    'Read',
    (content) => ({
      type: 'text',
      file: { filePath: '/a.rb', content, numLines: LINES, startLine: 1, totalLines: LINES },
    }),
  ],
  [
    'Grep',
    (content) => ({ mode: 'content', numFiles: 0, filenames: [], content, numLines: LINES }),
  ],
  [
    'WebFetch',
    (result) => ({ bytes: 9, code: 200, codeText: 'OK', result, durationMs: 8, url: 'https://a/' }),
  ],
  ['mcp__files__read', (text) => [{ type: 'text', text }]],
  ['mcp__files__read', (text) => text],
]

describe('a finished tool call of Claude Code', () => {
  test.each(RESPONSES)(
    'a long output of %s comes back clipped in its own shape',
    async (tool, of) => {
      const { api, send } = await service()
      const text = long(tool)
      const { status, text: body } = await send(postToolUse(tool, of(text)))
      expect(status).toBe(200)
      const { hookSpecificOutput } = JSON.parse(body) as {
        hookSpecificOutput: { hookEventName: string; updatedToolOutput: unknown }
      }
      expect(hookSpecificOutput.hookEventName).toBe('PostToolUse')
      // Only the long text differs: with its clip in place the response is as it was sent.
      const updated = JSON.stringify(hookSpecificOutput.updatedToolOutput)
      const lines = text.split('\n')
      const [placeholder = ''] = /\[Tool: [^\]]*\]/.exec(updated) ?? []
      const clip = [...lines.slice(0, 40), placeholder, ...lines.slice(-20)].join('\n')
      expect(updated).toBe(JSON.stringify(of(clip)))
      // The ref of the placeholder leads to the whole output, byte for byte.
      const parsed = parsePlaceholder(placeholder)
      const sha256 = parsed?.ref ? parseRef(parsed.ref) : null
      const stored = new TextDecoder().decode(await api.ok('read_excerpt', { mission, sha256 }))
      // Where a response has several texts, the whole response is stored.
      expect(stored).toBe(parsed?.ref && parsed.form === 'json' ? JSON.stringify(of(text)) : text)
      expect((await api.ok('get_mission', { mission })).context).toBeNull()
    },
  )

  test('a small output is answered with nothing and counted', async () => {
    const { api, send } = await service()
    await api.ok('put_mission', { mission, body: { window_tokens: 10_000 } })
    const response = { stdout: 'ok\n'.repeat(100), stderr: '', interrupted: false, isImage: false }
    expect(await send(postToolUse('Bash', response))).toEqual({ status: 204, text: '' })
    expect((await api.ok('get_mission', { mission })).context).toMatchObject({ zone: 'green' })
    const samples = (await api.ok('context_history', { mission })).items
    expect(samples).toHaveLength(1)
    // The same call sent again adds no sample.
    await send(postToolUse('Bash', response))
    expect((await api.ok('context_history', { mission })).items).toEqual(samples)
  })

  test('a clipped response keeps every number and escape outside its text', async () => {
    const { send } = await service()
    const payload = JSON.stringify(postToolUse('Bash', 0)).replace(
      '"tool_response":0',
      `"tool_response":{"stdout":${JSON.stringify(long('x'))},"took":1.0,"id":12345678901234567890,"n":"\\u0041"}`,
    )
    const { text } = await send(payload)
    expect(text).toContain('"took":1.0,"id":12345678901234567890,"n":"\\u0041"}')
  })

  test('the meter counts what the model sees of a clipped output', async () => {
    const { api, send } = await service()
    await api.ok('put_mission', { mission, body: { window_tokens: 20_000 } })
    await send(postToolUse('Bash', { stdout: long('x'), stderr: '' }))
    const { context } = await api.ok('get_mission', { mission })
    expect(context?.tokens).toBeGreaterThan(50)
    expect(context?.tokens).toBeLessThan(1000)
  })

  test('the output of a subagent is clipped, and does not count for the context of the mission', async () => {
    const { api, deps, send } = await service()
    const { status } = await send(postToolUse('Bash', { stdout: long('x') }, { agent_id: 'a1' }))
    expect(status).toBe(200)
    const view = await deps.missions?.read({ tenant: 'acme', mission })
    expect(view?.state.context.reading).toBeNull()
    expect((await api.ok('list_excerpts', { mission })).items).toHaveLength(1)
  })

  test('the small output of a subagent opens no mission', async () => {
    const { deps, send } = await service()
    await send(postToolUse('Bash', { stdout: 'ok' }, { agent_id: 'a1' }))
    expect(await deps.missions?.read({ tenant: 'acme', mission })).toBeNull()
  })

  test.each([
    [
      'an image',
      'Read',
      { type: 'image', file: { base64: 'A'.repeat(100_000), type: 'image/png' } },
    ],
    [
      'a list of names',
      'Glob',
      { filenames: Array<string>(9000).fill('a/b/c.rb'), numFiles: 9000 },
    ],
    ['an edit', 'Edit', { filePath: 'a', originalFile: long('x'), oldString: 'a', newString: 'b' }],
  ])('a tool call that gives %s is left alone', async (_what, tool, response) => {
    const { send } = await service()
    expect(await send(postToolUse(tool, response))).toEqual({ status: 204, text: '' })
  })

  test('a long output is left alone where no Memex is bound or a secret is in it', async () => {
    const without = await service()
    Object.assign(without.deps, { memex: null })
    expect((await without.send(postToolUse('Bash', { stdout: long('x') }))).status).toBe(204)
    const secret = await service()
    const found = [{ rule: 'r', severity: 'secret', start: 0, end: 1 }]
    Object.assign(secret.deps, { loadSecrets: () => Promise.resolve(() => Promise.resolve(found)) })
    expect((await secret.send(postToolUse('Bash', { stdout: long('x') }))).status).toBe(204)
  })

  test('a long output is clipped where no Durable Object is bound', async () => {
    const { deps, send } = await service()
    Object.assign(deps, { missions: null })
    expect((await send(postToolUse('Bash', { stdout: long('x') }))).status).toBe(200)
  })

  test.each([
    [
      'R2',
      { memex: always('put', before('put: We encountered an internal error. (10001)')) },
      'store_failed',
    ],
    [
      'the object',
      { missions: always('apply', before('Durable Object is overloaded.')) },
      'hook_failed_open',
    ],
    ['a read of the object', { missions: always('read', before('reset')) }, 'hook_failed_open'],
  ])(
    'a long output passes unchanged while %s fails, and the failure is logged',
    async (_what, plans, event) => {
      const { deps, send } = await service(plans)
      expect(await send(postToolUse('Bash', { stdout: long('x') }))).toEqual({
        status: 204,
        text: '',
      })
      expect(deps.reports).toMatchObject([{ level: 'error', event }])
      expect(JSON.stringify(deps.reports)).not.toContain('x 17')
    },
  )
})

describe('other hooks of Claude Code', () => {
  test.each(['PreCompact', 'SubagentStop', 'Stop', 'SessionEnd'])(
    '%s is told as an event of the mission',
    async (name) => {
      const { api, send } = await service()
      expect(await send({ hook_event_name: name, session_id: 's' })).toEqual({
        status: 204,
        text: '',
      })
      expect((await api.ok('list_events', { mission })).items).toMatchObject([
        { type: 'boundary.reached', data: { mission, cause: name } },
      ])
    },
  )

  test('SessionStart begins a new context, with the model and the tokens that it names', async () => {
    const { api, send } = await service()
    await api.ok('report_context', { mission, body: { used_percentage: 91, task_complete: true } })
    const start = { hook_event_name: 'SessionStart', source: 'compact', model: 'claude-sonnet-4-5' }
    await send({ ...start, context_tokens: 20_000 })
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      model: 'claude-sonnet-4-5',
      context: { tokens: 20_000, method: 'usage', percent: 10 },
      advice: { rule: 'fine' },
    })
    await send({ hook_event_name: 'SessionStart', source: 'startup' })
    expect((await api.ok('get_mission', { mission })).context).toBeNull()
  })

  test('a hook without a meaning for Foldex is answered with nothing', async () => {
    const { deps, send } = await service()
    expect((await send({ hook_event_name: 'UserPromptSubmit', prompt: 'hi' })).status).toBe(204)
    expect(await deps.missions?.read({ tenant: 'acme', mission })).toBeNull()
  })

  test('a malformed hook is answered with 400, and an unknown token with 401', async () => {
    const { api, send } = await service()
    for (const body of ['', '{', '[]', '{"hook_event_name":"PostToolUse"}'])
      expect((await send(body)).status).toBe(400)
    const sent = { mission, token: 'no.such.token', body: '{"hook_event_name":"Stop"}' }
    expect(await api.refused('receive_claude_code_hook', sent)).toMatchObject({ status: 401 })
  })

  test.each([
    { hook_event_name: 'Stop' },
    postToolUse('Bash', { stdout: long('x') }),
    postToolUse('Bash', { stdout: long('x') }, { agent_id: 'a1' }),
  ])('a hook for an erased mission is ignored, and nothing is stored', async (hook) => {
    const { api, deps, send } = await service()
    await api.ok('put_mission', { mission, body: {} })
    await api.ok('delete_mission', { mission })
    expect(await send(hook)).toEqual({ status: 204, text: '' })
    const left = await deps.memex?.list({ tenant: 'acme', mission }, { limit: 10 })
    expect(left?.items).toEqual([])
  })
})

describe('a LangGraph run', () => {
  const run = (rest: object = {}) => ({
    run_id: '1ef2',
    thread_id: 't1',
    assistant_id: 'agent',
    status: 'success',
    run_started_at: '2026-11-30T08:59:00.000000',
    run_ended_at: '2026-11-30T09:00:00.123456',
    webhook_sent_at: '2026-11-30T09:00:01+00:00',
    values: {
      messages: [
        { type: 'human', content: 'Find the refund jobs.', id: '1' },
        { type: 'ai', content: '', tool_calls: [{ id: 'c1', name: 'grep', args: {} }], id: '2' },
        { type: 'tool', content: 'app/jobs/refund.rb '.repeat(400), tool_call_id: 'c1', id: '3' },
      ],
    },
    ...rest,
  })

  test.each(['', 'text/plain;charset=UTF-8', 'application/json'])(
    'a run with the content type "%s" is read, and its messages are metered',
    async (type) => {
      const { api } = await service()
      await api.ok('put_mission', { mission, body: { window_tokens: 20_000 } })
      const body = new TextEncoder().encode(JSON.stringify(run()))
      const sent = { mission, body, headers: { 'content-type': type } }
      expect(await api.ok('receive_langgraph_run', sent)).toMatchObject({ outcome: 'applied' })
      const { context } = await api.ok('get_mission', { mission })
      expect(context).toMatchObject({ method: 'counted', at: '2026-11-30T09:00:00.123Z' })
      expect(context?.tokens).toBeGreaterThan(1800)
      const told = (await api.ok('list_events', { mission })).items
      expect(told.at(-1)).toMatchObject({ data: { cause: 'run.success' } })
    },
  )

  test('a run that is sent again later takes effect once', async () => {
    const { api } = await service()
    await api.ok('put_mission', { mission, body: { window_tokens: 20_000 } })
    const body = JSON.stringify(run())
    await api.ok('receive_langgraph_run', { mission, body })
    const later = JSON.stringify(run({ webhook_sent_at: '2026-11-30T09:30:00+00:00' }))
    const again = await api.send('receive_langgraph_run', { mission, body: later })
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect((await api.ok('context_history', { mission })).items).toHaveLength(1)
  })

  test('messages that can’t be measured yet are measured once there is a window', async () => {
    const { api } = await service()
    const body = JSON.stringify(run())
    expect(await api.ok('receive_langgraph_run', { mission, body })).toMatchObject({
      outcome: 'deferred',
      refused: [],
    })
    expect((await api.ok('get_mission', { mission })).context).toBeNull()
    await api.ok('put_mission', { mission, body: { window_tokens: 20_000 } })
    expect((await api.ok('get_mission', { mission })).context).toMatchObject({
      method: 'counted',
      at: '2026-11-30T09:00:00.123Z',
    })
    expect((await api.ok('context_history', { mission })).items).toHaveLength(1)
    const failed = JSON.stringify(run({ status: 'error', values: null, error: 'boom' }))
    expect(await api.ok('receive_langgraph_run', { mission, body: failed })).toMatchObject({
      refused: [],
    })
  })
})
