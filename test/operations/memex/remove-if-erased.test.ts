import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../src/domain/bytes.ts'
import { sha256 } from '../../../src/domain/digest.ts'
import type { Sha256 } from '../../../src/domain/digest.ts'
import { failure } from '../../../src/domain/failure.ts'
import { isoTime } from '../../../src/domain/identifier.ts'
import { err, ok } from '../../../src/domain/result.ts'
import { removeIfErased } from '../../../src/operations/memex/remove-if-erased.ts'
import type { Deps, Memex, Owner } from '../../../src/ports.ts'
import type { Api } from '../../support/api.ts'
import { callsOf } from '../../support/faults.ts'
import { foldBench, mission } from '../../support/fold-bench.ts'
import { FOLD } from '../../support/fold-case.ts'
import { memoryApi } from '../../support/memory-deps.ts'
import { createMemoryMemex } from '../../support/memory-ports.ts'
import { anthropicSession } from '../../support/session.ts'
import { ENDPOINTS, signedWebhook } from '../../support/signed-webhook.ts'

const owner = { tenant: 'acme', mission }
const long = '9 refunds paid\n'.repeat(6000)

interface Bench {
  readonly deps: Deps
  readonly api: Api
  readonly prompt_sha256: string
}

/** A call that stores bytes, with the status that it answers in an erased mission. */
interface Writer {
  readonly status: number
  readonly write: (bench: Bench) => Promise<Response>
}

const platformEvent = async ({ api, deps }: Bench, data: object): Promise<Response> => {
  const event = {
    type: 'phase.started',
    timestamp: isoTime(deps.now()),
    data: { mission, phase: 'abstract', ...data },
  }
  const signed = await signedWebhook(event, { id: 'msg_1', now: deps.now() })
  return await api.send('receive_webhook', { endpoint: 'platform', token: null, ...signed })
}

const hook = ({ api }: Bench, rest: object = {}): Promise<Response> =>
  api.send('receive_claude_code_hook', {
    mission,
    body: JSON.stringify({
      hook_event_name: 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: 'toolu_1',
      tool_input: {},
      tool_response: { stdout: long, stderr: '' },
      ...rest,
    }),
  })

const WRITERS: Readonly<Record<string, Writer>> = {
  'a mask': {
    status: 409,
    write: ({ api }) =>
      api.send('mask', {
        mission,
        body: { request: anthropicSession(6), policy: { trigger: { type: 'always' } } },
      }),
  },
  'an observation': {
    status: 409,
    write: ({ api }) =>
      api.send('observe', { mission, body: { call_id: 'c', tool: 'sh', turn: 1, output: long } }),
  },
  'an excerpt': {
    status: 409,
    write: ({ api }) => api.send('write_excerpt', { mission, body: 'late' }),
  },
  'an excerpt under its digest': {
    status: 409,
    write: async ({ api }) =>
      await api.send('put_excerpt', { mission, sha256: await sha256(utf8('late')), body: 'late' }),
  },
  'a document': {
    status: 409,
    write: ({ api }) =>
      api.send('put_artifact', { mission, artifact: 'map.md', body: '# MAP\n\nlate\n' }),
  },
  'a fold': {
    status: 409,
    write: ({ api, prompt_sha256 }) =>
      api.send('submit_fold', { mission, body: { fold: FOLD, prompt_sha256 } }),
  },
  'a platform’s document': {
    status: 200,
    write: (bench) => platformEvent(bench, { artifacts: { 'map.md': '# MAP\n\nlate\n' } }),
  },
  'a platform’s tool call': {
    status: 200,
    write: async ({ api, deps }) => {
      const event = {
        type: 'tool.completed',
        timestamp: isoTime(deps.now()),
        data: { mission, call: { call_id: 'c', tool: 'sh', turn: 1, output: long } },
      }
      const signed = await signedWebhook(event, { id: 'msg_1', now: deps.now() })
      return await api.send('receive_webhook', { endpoint: 'platform', token: null, ...signed })
    },
  },
  'a hook’s tool call': { status: 204, write: hook },
  'a hook’s tool call of a subagent': {
    status: 204,
    write: (bench) => hook(bench, { agent_id: 'sub-1' }),
  },
}

/** A mission that is ready for any writer, and erased, sweep and all, before what is put arrives. */
async function erasedInBetween(beforePut: (...put: Parameters<Memex['put']>) => unknown = () => 0) {
  const { deps, prompt } = await foldBench()
  const memex = deps.memex ?? expect.fail('no memex')
  const prompt_sha256 = await prompt()
  const erased: Owner[] = []
  const slow: Memex = {
    ...memex,
    put: async (...put) => {
      const [owner] = put
      if (erased.length === 0) {
        erased.push(owner)
        await erase(deps, owner)
      }
      await beforePut(...put)
      return await memex.put(...put)
    },
  }
  const racing = { ...deps, memex: slow, endpoints: ENDPOINTS }
  return { memex, erased, bench: { deps: racing, api: await memoryApi(racing), prompt_sha256 } }
}

async function erase(deps: Deps, owner: Owner): Promise<void> {
  const at = isoTime(deps.now())
  const answer = await deps.missions?.apply({ ...owner, at, event: { type: 'erased' } })
  expect(answer).toMatchObject({ ok: true, value: { status: 'erased' } })
}

const left = async (memex: Memex, of: Owner | undefined = owner): Promise<number> =>
  (await memex.list(of, { limit: 100 })).items.length

describe('a mission that is erased between a put and its event', () => {
  it.each(Object.entries(WRITERS))('keeps nothing of %s', async (_, { status, write }) => {
    const { bench, memex } = await erasedInBetween()
    const puts = callsOf(memex, 'put')
    expect((await write(bench)).status).toBe(status)
    expect(callsOf(memex, 'put')).toBeGreaterThan(puts)
    expect(await left(memex)).toBe(0)
  })

  it.each(Object.entries(WRITERS))(
    'loses nothing by %s that another call had put before it',
    async (_, { write }) => {
      let others = 0
      const { bench, memex } = await erasedInBetween(async (...put) => {
        if ((await memex.put(...put)) === 'created') others += 1
      })
      await write(bench)
      expect(others).toBeGreaterThan(0)
      expect(await left(memex)).toBe(others)
    },
  )

  it('keeps no copy of an excerpt that it was given as a child', async () => {
    const { bench, erased, memex } = await erasedInBetween()
    const parent = { tenant: 'acme', mission: 'parent' }
    const digest = await sha256(utf8('given'))
    await memex.put(parent, digest, utf8('given'), { kind: 'excerpt', stored_at: '' })
    await bench.api.ok('put_mission', { mission: 'parent', body: {} })
    const body = {
      objective: 'Read it.',
      paths: [`memex://excerpt/${digest}`],
      success_criteria: 'It was read.',
      window_tokens: 100_000,
    }
    expect(await bench.api.refused('delegate', { mission: 'parent', body })).toMatchObject({
      code: 'temporarily_unavailable',
    })
    const [child] = erased
    expect(child?.mission).toMatch(/^parent\./)
    expect(await left(memex, child)).toBe(0)
    expect(await left(memex, parent)).toBe(1)
  })
})

describe('what a call created', () => {
  const stored = async (): Promise<{ readonly memex: Memex; readonly digest: Sha256 }> => {
    const memex = createMemoryMemex()
    const digest = await sha256(utf8('kept'))
    await memex.put(owner, digest, utf8('kept'), { kind: 'excerpt', stored_at: '' })
    return { memex, digest }
  }

  it.each([ok(null), err(failure('mission_halted')), err(failure('temporarily_unavailable'))])(
    'stays where its mission is not erased',
    async (told) => {
      const { digest, memex } = await stored()
      await removeIfErased({ memex }, owner, [digest], told)
      expect(await left(memex)).toBe(1)
    },
  )

  it('goes with its mission, and nothing else does', async () => {
    const { digest, memex } = await stored()
    const other = await sha256(utf8('other'))
    await memex.put(owner, other, utf8('other'), { kind: 'excerpt', stored_at: '' })
    await removeIfErased({ memex }, owner, [digest], err(failure('mission_erased')))
    expect((await memex.list(owner, { limit: 9 })).items.map((one) => one.sha256)).toEqual([other])
  })
})
