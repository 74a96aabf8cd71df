import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import { problemStatus } from '../../src/contract/problem.ts'
import { MAX_WEBHOOK_BYTES } from '../../src/contract/rows/hooks.ts'
import type { FailureCode } from '../../src/domain/failure.ts'
import { callsOf } from '../support/faults.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { permutations } from '../support/mission-log.ts'
import { ENDPOINTS, PREVIOUS_SECRET, SECRET, signedWebhook } from '../support/signed-webhook.ts'

const NOW = Date.UTC(2026, 10, 30, 12)
const mission = 'm-1'
type Answer = Output<'receive_webhook'>

/** A service that an endpoint `platform` of the tenant `acme` may call. */
async function service(now = NOW) {
  const deps = { ...memoryDeps({}, ENDPOINTS), now: () => now }
  const api = await memoryApi(deps)
  const send = async (
    event: unknown,
    rest: { id?: string; endpoint?: string; secret?: string; at?: number } = {},
  ) => {
    const { at = now, endpoint = 'platform', id = 'msg_1', ...others } = rest
    const signed = await signedWebhook(event, { id, now: at, ...others })
    return await api.send('receive_webhook', { endpoint, token: null, ...signed })
  }
  const answer = async (...sent: Parameters<typeof send>) => {
    const response = await send(...sent)
    const replayed = response.headers.get('idempotent-replayed')
    return { status: response.status, replayed, body: await response.json<Answer>() }
  }
  const nothingStored = async () => {
    expect((await deps.memex?.list({ tenant: 'acme', mission }, { limit: 1 }))?.items).toEqual([])
    expect(await deps.missions?.read({ tenant: 'acme', mission })).toBeNull()
  }
  return { api, deps, send, answer, nothingStored }
}

const started = (phase: string, rest: object = {}) => ({
  type: 'phase.started',
  timestamp: new Date(NOW).toISOString(),
  data: { mission, phase, ...rest },
})

describe('a signed webhook', () => {
  test('a webhook takes effect once, and its replay gets the same answer', async () => {
    const { api, answer } = await service()
    const first = await answer(started('locate', { used_percentage: 61 }))
    expect(first).toEqual({
      status: 200,
      replayed: null,
      body: { mission, outcome: 'applied', phase: 'locate', status: 'active', refused: [] },
    })
    await answer(started('abstract'), { id: 'msg_2' })
    const again = await answer(started('locate', { used_percentage: 61 }))
    expect(again).toEqual({ ...first, replayed: 'true' })
    expect((await api.ok('context_history', { mission })).items).toHaveLength(1)
    expect(await api.ok('get_mission', { mission })).toMatchObject({ phase: 'abstract' })
  })

  test('a webhook that the reference library signs is accepted', async () => {
    const { api } = await service()
    const body = JSON.stringify(started('locate'))
    const signature = new Webhook(SECRET).sign('msg_9', new Date(NOW), body)
    const headers = {
      'Webhook-Id': 'msg_9',
      'WEBHOOK-TIMESTAMP': String(NOW / 1000),
      'webhook-signature': `v1,AAAA ${signature}`,
    }
    const sent = { endpoint: 'platform', token: null, body, headers }
    expect(await api.ok('receive_webhook', sent)).toMatchObject({ phase: 'locate' })
  })

  test('a webhook is accepted under the previous secret, and by its own endpoint alone', async () => {
    const { answer, send } = await service()
    expect((await answer(started('locate'), { secret: PREVIOUS_SECRET })).status).toBe(200)
    const bound = { run: { mission: 'only-this' }, ...started('locate') }
    expect((await send(bound, { endpoint: 'bound' })).status).toBe(200)
    const elsewhere = await send(bound, { endpoint: 'bound', secret: PREVIOUS_SECRET })
    expect(elsewhere.status).toBe(401)
  })

  test('a webhook that is sent a hundred times at once has one effect and one answer', async () => {
    const { api, answer, deps } = await service()
    const all = await Promise.all(
      Array.from({ length: 100 }, () => answer(started('locate', { used_percentage: 61 }))),
    )
    expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(all.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect((await api.ok('context_history', { mission })).items).toHaveLength(1)
    const view = await deps.missions?.read({ tenant: 'acme', mission })
    expect(view?.state.version).toBe(1)
  })

  test('a verified webhook may name any mission of its tenant', async () => {
    const { answer, api } = await service()
    await answer(started('locate', { mission: 'other-1' }))
    expect(await api.ok('get_mission', { mission: 'other-1' })).toMatchObject({ phase: 'locate' })
  })
})

describe('a refused webhook', () => {
  const cases: readonly [what: string, code: FailureCode, change: object][] = [
    ['no id', 'webhook_malformed', { 'webhook-id': '' }],
    ['no timestamp', 'webhook_malformed', { 'webhook-timestamp': '' }],
    ['no signature', 'webhook_malformed', { 'webhook-signature': '' }],
    ['a dot in its id', 'webhook_malformed', { 'webhook-id': 'msg.1' }],
    ['an id of 129 characters', 'webhook_malformed', { 'webhook-id': 'm'.repeat(129) }],
    ['letters behind its time', 'webhook_malformed', { 'webhook-timestamp': '1674087231abc' }],
    ['a time in exponent form', 'webhook_malformed', { 'webhook-timestamp': '1e9' }],
    ['a negative time', 'webhook_malformed', { 'webhook-timestamp': '-1' }],
    ['a time in milliseconds', 'webhook_malformed', { 'webhook-timestamp': String(NOW) }],
    [
      'eleven signatures',
      'webhook_malformed',
      { 'webhook-signature': Array(11).fill('v1,A').join(' ') },
    ],
    ['8 KB of signatures', 'webhook_malformed', { 'webhook-signature': 'v1,'.padEnd(8192, 'A') }],
    ['an empty signature', 'webhook_signature_invalid', { 'webhook-signature': 'v1,' }],
    ['another version', 'webhook_signature_invalid', { 'webhook-signature': 'v2,AAAA' }],
    [
      'a wrong signature',
      'webhook_signature_invalid',
      { 'webhook-signature': `v1,${'A'.repeat(43)}=` },
    ],
    ['another id than was signed', 'webhook_signature_invalid', { 'webhook-id': 'msg_2' }],
  ]
  test.each(cases)(
    'a webhook with %s is refused with %s, and nothing is stored',
    async (_what, code, change) => {
      const { api, nothingStored } = await service()
      const { body, headers } = await signedWebhook(started('locate'), { id: 'msg_1', now: NOW })
      const sent = { endpoint: 'platform', token: null, body, headers: { ...headers, ...change } }
      const problem = await api.refused('receive_webhook', sent)
      expect(problem).toMatchObject({ code, status: problemStatus(code) })
      await nothingStored()
    },
  )

  test.each([-301, 301])(
    'a webhook with a time %i s from now is refused, and accepted one second nearer',
    async (offset) => {
      const { answer, nothingStored, send } = await service()
      const late = await send(started('locate'), { at: NOW + offset * 1000 })
      expect(late.status).toBe(401)
      expect(await late.json()).toMatchObject({ code: 'webhook_timestamp_out_of_range' })
      await nothingStored()
      const near = await answer(started('locate'), {
        at: NOW + (offset - Math.sign(offset)) * 1000,
      })
      expect(near.status).toBe(200)
    },
  )

  test.each([
    ['serialised again', (body: string) => JSON.stringify(JSON.parse(body))],
    ['with one space more', (body: string) => `${body} `],
    ['cut short', (body: string) => body.slice(0, -1)],
    ['empty', () => ''],
  ])('a webhook whose signed body is sent %s is refused', async (_what, change) => {
    const { api, nothingStored } = await service()
    const spaced = JSON.stringify(started('locate'), null, 1)
    const { headers } = await signedWebhook(spaced, { id: 'msg_1', now: NOW })
    const sent = { endpoint: 'platform', token: null, body: change(spaced), headers }
    expect(await api.refused('receive_webhook', sent)).toMatchObject({
      status: 401,
      code: 'webhook_signature_invalid',
    })
    await nothingStored()
  })

  test('a body over 1 MiB is refused, and one of 1 MiB is accepted', async () => {
    const { api, nothingStored, send } = await service()
    const empty = JSON.stringify(started('locate', { pad: '' }))
    const padded = (bytes: number) => started('locate', { pad: 'x'.repeat(bytes - empty.length) })
    const large = await send(padded(MAX_WEBHOOK_BYTES + 1))
    expect(large.status).toBe(413)
    expect(await large.json()).toMatchObject({ code: 'body_too_large' })
    await nothingStored()
    expect((await send(padded(MAX_WEBHOOK_BYTES))).status).toBe(200)
    const sent = {
      endpoint: 'platform',
      token: null,
      body: 'x',
      headers: { 'content-encoding': 'gzip' },
    }
    expect(await api.refused('receive_webhook', sent)).toMatchObject({ status: 415 })
  })

  test.each([
    ['no JSON', '{', 400, 'malformed_json'],
    ['JSON that is no event', '[]', 400, 'invalid_input'],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), 400, 'too_deep'],
    ['no mission', { type: 'phase.started', data: { phase: 'locate' } }, 400, 'invalid_input'],
    ['a bad mission', started('locate', { mission: '../x' }), 400, 'invalid_input'],
    [
      'a mission named __proto__',
      started('locate', { mission: '__proto__' }),
      400,
      'invalid_input',
    ],
    ['an unknown phase', started('dream'), 400, 'invalid_input'],
    [
      'a usage that can’t be read',
      { type: 'context.reported', data: { mission, usage: { x: 1 } } },
      400,
      'invalid_input',
    ],
    [
      'tokens without a window',
      { type: 'context.reported', data: { mission, usage: { input_tokens: 5 } } },
      422,
      'window_unknown',
    ],
  ])('a well signed webhook with %s is refused', async (_what, event, status, code) => {
    const { nothingStored, send } = await service()
    const response = await send(event)
    expect({ status: response.status, ...(await response.json<object>()) }).toMatchObject({
      status,
      code,
    })
    await nothingStored()
  })

  test('a webhook with the id of another one is refused', async () => {
    const { answer, api, deps, send } = await service()
    await answer(started('locate'))
    const puts = callsOf(deps.memex ?? {}, 'put')
    const other = await send(started('abstract', { artifacts: { 'map.md': '# Map' } }))
    expect(other.status).toBe(422)
    expect(await other.json()).toMatchObject({ code: 'idempotency_key_reused' })
    expect(callsOf(deps.memex ?? {}, 'put')).toBe(puts)
    expect(await api.ok('get_mission', { mission })).toMatchObject({ phase: 'locate' })
  })

  test('a webhook is answered with 503 while the endpoints can’t be read', async () => {
    const { deps, nothingStored, send } = await service()
    Object.assign(deps, { endpoints: null })
    const response = await send(started('locate'))
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toMatchObject({ status: 503, code: 'temporarily_unavailable' })
    await nothingStored()
  })

  test('a webhook to an unknown or outbound endpoint, or one bound to another mission, is refused', async () => {
    const { nothingStored, send } = await service()
    for (const endpoint of ['nobody', 'alerts', 'x'.repeat(65)]) {
      const response = await send(started('locate'), { endpoint })
      expect({ status: response.status, ...(await response.json<object>()) }).toMatchObject({
        status: 404,
        code: 'endpoint_not_found',
      })
    }
    const elsewhere = await send({ run: { mission }, ...started('locate') }, { endpoint: 'bound' })
    expect(await elsewhere.json()).toMatchObject({ status: 404, code: 'mission_not_found' })
    await nothingStored()
  })
})

describe('webhooks of a mission', () => {
  test('webhooks of an unknown type or for an erased mission are accepted and ignored', async () => {
    const { answer, api, nothingStored } = await service()
    const unknown = await answer({ type: 'agent.session.idle', data: { id: 's' } })
    expect(unknown).toMatchObject({ status: 200, body: { mission: null, outcome: 'ignored' } })
    await nothingStored()
    await answer(started('locate'), { id: 'msg_2' })
    await api.ok('delete_mission', { mission })
    const late = await answer(started('abstract', { artifacts: { 'map.md': '# M' } }), {
      id: 'msg_3',
    })
    expect(late).toMatchObject({ status: 200, body: { mission, outcome: 'ignored' } })
    expect(await api.refused('get_mission', { mission })).toMatchObject({ status: 404 })
  })

  test('webhooks leave the same mission in whatever order they arrive', async () => {
    const words = { mission: '# Mission', map: '# Map', findings: '# Findings' }
    const five = (['assess', 'traverse', 'locate', 'abstract', 'synthesize'] as const).map(
      (phase, index) => ({
        type: 'phase.completed',
        timestamp: new Date(NOW + index * 1000).toISOString(),
        data: {
          mission,
          phase,
          model: 'claude-sonnet-4-5',
          usage: { input_tokens: 10_000 * (index + 1), output_tokens: 1 },
          artifacts: {
            'mission.md': words.mission,
            ...(index > 0 ? { 'map.md': `${words.map} ${index}` } : {}),
            ...(index > 1 ? { 'findings.md': `${words.findings} ${index}` } : {}),
          },
        },
      }),
    )
    const states = new Set<string>()
    for (const order of permutations(five)) {
      const { answer, deps } = await service(NOW + 60_000)
      for (const event of order) await answer(event, { id: event.data.phase })
      const view = await deps.missions?.read({ tenant: 'acme', mission })
      states.add(JSON.stringify({ ...view?.state, version: 0 }))
    }
    expect(states.size).toBe(1)
    const [state = ''] = states
    expect(JSON.parse(state)).toMatchObject({
      phase: 'abstract',
      hooks: { parked: [{ to: 'synthesize' }, { to: 'completed' }] },
      folding: { locate_tokens: 30_000 },
      context: { reading: { tokens: 50_000 } },
    })
  })

  test.each([
    ['the first', { window_tokens: 100_000 }, 0],
    ['the last', { model: 'claude-sonnet-4-5' }, 4],
  ])(
    'webhooks in any order are measured with the window that %s of them names',
    async (_which, named, at) => {
      const five = (['assess', 'traverse', 'locate', 'abstract', 'synthesize'] as const).map(
        (phase, index) => ({
          type: 'phase.started',
          timestamp: new Date(NOW + index * 1000).toISOString(),
          data: {
            mission,
            phase,
            usage: { input_tokens: 10_000 * (index + 1), output_tokens: 1 },
            ...(index === at ? named : {}),
          },
        }),
      )
      const states = new Set<string>()
      for (const order of permutations(five)) {
        const { answer, api, deps } = await service(NOW + 60_000)
        for (const event of order) {
          const { body } = await answer(event, { id: event.data.phase })
          expect(body.refused).toEqual([])
        }
        const view = await deps.missions?.read({ tenant: 'acme', mission })
        const samples = (await api.ok('context_history', { mission })).items
        const tokens = samples.map((sample) => sample.tokens ?? 0).toSorted((a, b) => a - b)
        states.add(JSON.stringify([{ ...view?.state, version: 0 }, tokens]))
      }
      expect(states.size).toBe(1)
      const [state = ''] = states
      expect(JSON.parse(state)).toMatchObject([
        { folding: { locate_tokens: 30_000 }, context: { reading: { tokens: 50_000 } } },
        [10_000, 20_000, 30_000, 40_000, 50_000],
      ])
    },
  )

  test('a webhook older than the last report still names the model', async () => {
    const { answer, api } = await service()
    const reported = (data: object, seconds: number) => ({
      type: 'context.reported',
      timestamp: new Date(NOW - 60_000 + seconds * 1000).toISOString(),
      data: { mission, ...data },
    })
    const usage = { input_tokens: 1000, output_tokens: 0 }
    await answer(reported({ used_percentage: 30 }, 1), { id: 'b' })
    await answer(reported({ usage, model: 'claude-opus-4-5' }, 0), { id: 'a' })
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      model: 'claude-opus-4-5',
      context: { percent: 30, window_tokens: 200_000 },
    })
  })

  test('a document with a secret is refused, and the other documents of its webhook are stored', async () => {
    const { api, deps, send } = await service()
    deps.loadSecrets = () =>
      Promise.resolve((text) =>
        Promise.resolve(
          text.includes('hunter2')
            ? [{ rule: 'password', severity: 'secret', start: 0, end: 1 } as const]
            : [],
        ),
      )
    const artifacts = { 'map.md': '# Map', 'findings.md': 'password hunter2' }
    const event = { ...started('locate', { artifacts }), type: 'phase.completed' }
    const answer = await (await send(event)).json<Answer>()
    expect(answer).toMatchObject({
      outcome: 'applied',
      phase: 'abstract',
      refused: [{ part: 'findings.md', code: 'secret_detected' }],
    })
    expect(
      new TextDecoder().decode(await api.ok('get_artifact', { mission, artifact: 'map.md' })),
    ).toBe('# Map')
    expect(await api.refused('get_artifact', { mission, artifact: 'findings.md' })).toMatchObject({
      status: 409,
    })
  })

  test('an escalation that holds a secret is refused', async () => {
    const { api, deps, send } = await service()
    deps.loadSecrets = () =>
      Promise.resolve(() =>
        Promise.resolve([{ rule: 'password', severity: 'secret', start: 0, end: 1 } as const]),
      )
    const fired = { trigger: 'hunter2', action_taken: 'annotate' }
    const refused = await send({ type: 'escalation.fired', data: { mission, ...fired } })
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: 'secret_detected', errors: [{ pointer: '/data/trigger' }] },
    ])
    expect(await api.refused('list_escalations', { mission })).toMatchObject({ status: 404 })
  })

  test('webhooks report tool outputs, escalations and the end of a task', async () => {
    const { api, answer } = await service()
    const output = 'line\n'.repeat(2000)
    const call = { call_id: 'c1', tool: 'Bash', output }
    await answer({ type: 'tool.completed', data: { mission, call } }, { id: 'a' })
    const [stored] = (await api.ok('list_excerpts', { mission })).items
    expect(stored).toMatchObject({ kind: 'tool_output', tool: 'Bash', size: output.length })
    const fired = { trigger: 'ET-1', action_taken: 'annotate', on_path: 'a.rb' }
    await answer({ type: 'escalation.fired', data: { mission, ...fired } }, { id: 'b' })
    expect((await api.ok('list_escalations', { mission })).items).toMatchObject([fired])
    await answer({ type: 'task.completed', data: { mission, used_percentage: 20 } }, { id: 'c' })
    expect((await api.ok('get_mission', { mission })).advice).toMatchObject({ rule: 'task_done' })
    const types = (await api.ok('list_events', { mission })).items.map(({ type }) => type)
    expect(types).toContain('switch.advised')
  })

  test('webhooks are answered with 503 where no Durable Object is bound', async () => {
    const { api, deps } = await service()
    Object.assign(deps, { missions: null })
    const signed = await signedWebhook(started('locate'), { id: 'msg_1', now: NOW })
    const sent = { endpoint: 'platform', token: null, ...signed }
    expect(await api.refused('receive_webhook', sent)).toMatchObject({
      status: 503,
      code: 'storage_not_configured',
    })
  })
})
