import { beforeEach, describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import type { MissionState } from '../../src/domain/ledger/state.ts'
import type { Api } from '../support/api.ts'
import { quarters } from '../support/masking.ts'
import { calls, memoryApi, memoryDeps } from '../support/memory-deps.ts'
import type { MemoryDeps } from '../support/memory-deps.ts'
import { toolOutput } from '../support/session.ts'

const mission = 'm'
const always = { trigger: { type: 'always' } }
const never = { trigger: { type: 'percent', value: 100 } }
type Message = object
type Masked = Output<'mask'>

const start: Message = { role: 'user', content: 'Find it.' }

/** One turn of an agent: a call of a tool, and what it printed. */
const turnOf = (id: string, text: string, tool = 'read'): Message[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: tool, input: { id } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
]

const session = (turns: number, from = 1): Message[] => [
  start,
  ...Array.from({ length: turns }, (_, n) =>
    turnOf(`c${from + n}`, toolOutput(2000, from + n), n % 2 === 0 ? 'read' : 'bash'),
  ).flat(),
]

describe('a mask that was made', () => {
  let api: Api
  let deps: MemoryDeps

  const mask = (messages: readonly Message[], policy: object = always, more: object = {}) =>
    api.ok('mask', {
      mission,
      body: { request: { messages }, policy, window_tokens: 1_000_000, ...more },
    })
  const decided = ({ decisions }: Masked) =>
    Object.fromEntries(decisions.map(({ call_id, decision }) => [call_id, decision]))
  const stateOf = async (): Promise<MissionState> => {
    const view = await deps.missions?.read({ tenant: 'acme', mission })
    if (view === null || view === undefined) throw new Error('there is no mission')
    return view.state
  }

  beforeEach(async () => {
    deps = memoryDeps()
    api = await memoryApi(deps)
  })

  test('a mask is made again under a policy that would mask nothing, without a new log entry', async () => {
    const first = await mask(session(8))
    expect(first).toMatchObject({ masked: 5, masked_before: 0 })
    const again = await mask(session(8), never)
    expect(again).toMatchObject({ masked: 0, masked_before: 5, log_entry: null })
    expect(again.first_changed_pointer).toBeNull()
    expect(JSON.stringify(again.request)).toBe(JSON.stringify(first.request))
    expect(decided(again)).toMatchObject({ c1: 'masked_before', c6: 'inside_keep_window' })
    const { items } = await api.ok('mission_log', { mission, log: 'masking' })
    expect(items).toHaveLength(1)
  })

  test('a mask that is made again is answered as an edit, for a caller that discards the edited copy', async () => {
    await mask(session(8))
    const { edits } = await mask(session(8), never, { return: 'edits' })
    expect(edits?.map(({ call_id }) => call_id)).toEqual(['c1', 'c2', 'c3', 'c4', 'c5'])
  })

  test('a placeholder keeps its text when an extract is written later', async () => {
    const first = await mask(session(8))
    const body = { call_id: 'c1', tool: 'read', bullets: ['One.', 'Two.', 'Three.'] }
    await api.ok('put_extract', { mission, task: 'task-1', turn: 1, body })
    expect(JSON.stringify((await mask(session(8))).request)).toBe(JSON.stringify(first.request))
  })

  test('another output under the same call is not masked again', async () => {
    await mask(session(8))
    const branch = [start, ...turnOf('c1', 'another output of the same call '.repeat(40))]
    expect(decided(await mask(branch, never))).toEqual({ c1: 'inside_keep_window' })
  })

  test('unmask lifts a mask, and a later call may make it anew', async () => {
    const { request } = await mask(session(8))
    const restored = await api.ok('unmask', { mission, body: { request } })
    expect(restored.restored).toBe(5)
    expect(await mask(session(8), never)).toMatchObject({ masked: 0, masked_before: 0 })
    const anew = await mask(session(8))
    expect(anew).toMatchObject({ masked: 5, masked_before: 0 })
    expect(JSON.stringify(anew.request)).toBe(JSON.stringify(request))
    expect(await mask(session(8), never)).toMatchObject({ masked: 0, masked_before: 5 })
  })

  test('unmask lifts the masks of a raw request, in which nothing has to be restored', async () => {
    await mask(session(8))
    const raw = { messages: session(8) }
    const answer = await api.ok('unmask', { mission, body: { request: raw } })
    expect(answer.restored).toBe(5)
    expect(answer.request).toEqual(raw)
    expect(await mask(session(8), never)).toMatchObject({ masked_before: 0 })
  })

  test('unmask lifts masks by call ids and refs without a request', async () => {
    const { decisions } = await mask(session(8))
    const refs = [decisions[1]?.ref, `memex://excerpt/${'0'.repeat(64)}`]
    const body = { call_ids: ['c1', 'none'], refs }
    expect(await api.ok('unmask', { mission, body })).toEqual({
      restored: 2,
      not_restored: [
        { pointer: '/call_ids/1', reason: 'not_masked_here' },
        { pointer: '/refs/1', reason: 'not_masked_here' },
      ],
    })
    const again = await mask(session(8), never)
    expect(again.masked_before).toBe(3)
    // The answer differs from the last one from the first lifted mask on.
    expect(again.first_changed_pointer).toBe('/messages/2/content/0/content')
  })

  test('a mask that is lifted and pinned without a request stays lifted', async () => {
    await mask(session(8))
    await api.ok('unmask', { mission, body: { call_ids: ['c2'], pin: true } })
    expect(decided(await mask(session(8)))).toMatchObject({ c1: 'masked_before', c2: 'pinned' })
  })

  test('unmask without a request, call ids or refs is refused', async () => {
    await mask(session(4))
    expect(await api.refused('unmask', { mission, body: { pin: true } })).toMatchObject({
      status: 400,
      code: 'invalid_input',
    })
  })

  test.each([
    ['pinned', { ...always, pinned: ['c1'] }],
    ['excluded_tool', { ...always, exclude_tools: ['read'] }],
  ])('a policy that says %s takes a mask out', async (reason, policy) => {
    await mask(session(8))
    const out = await mask(session(8), policy)
    expect(decided(out)).toMatchObject({ c1: reason, c2: 'masked_before' })
    expect(out.first_changed_pointer).toBe('/messages/2/content/0/content')
    expect(decided(await mask(session(8), never))).toMatchObject({ c1: 'masked_before' })
  })

  test('a retention decision takes a mask out', async () => {
    await mask(session(8))
    const body = { decision: 'keep' }
    await api.ok('put_retention', { mission, turn: 2, call_id: 'c2', body })
    expect(decided(await mask(session(8), never))).toMatchObject({
      c1: 'masked_before',
      c2: 'pinned',
    })
  })

  test('an equal result is not masked when the masked one leaves the history', async () => {
    const same = 'the very same output '.repeat(40)
    const equal = (n: number) => Array.from({ length: n }, () => turnOf('c', same)).flat()
    const first = await mask([start, ...equal(5), ...turnOf('z', 'end')], { ...always, keep: 4 })
    expect(first.decisions.map(({ decision }) => decision)).toEqual([
      'masked',
      'masked',
      ...Array(4).fill('inside_keep_window'),
    ])
    for (let times = 0; times < 2; times++) {
      const rest = await mask([start, ...equal(3), ...turnOf('z', 'end')], never)
      expect(rest.masked_before).toBe(0)
    }
  })

  test('a result that comes back raw costs one look-up and one hash', async () => {
    let counted: string[] = []
    const hashes: number[] = []
    const digest = crypto.subtle.digest.bind(crypto.subtle)
    const counting = {
      ...deps,
      loadTokens: () =>
        Promise.resolve((text: string) => {
          counted.push(text)
          return quarters(text)
        }),
    }
    api = await memoryApi(counting)
    const messages = session(30)
    await mask(messages)
    const outputs = new Set(
      messages.flatMap((one) => {
        const [block] = (one as { content: { content?: string }[] }).content
        return typeof block === 'object' && block.content !== undefined ? [block.content] : []
      }),
    )
    counted = []
    const before = [calls(deps.missions, 'read', 'apply'), calls(deps.memex, 'put', 'get')]
    const rows = async () => (await api.ok('masking_log', {})).items.length
    const logged = await rows()
    crypto.subtle.digest = (...args) => {
      hashes.push((args[1] as Uint8Array).length)
      return digest(...args)
    }
    let again: Masked
    try {
      again = await mask(messages)
    } finally {
      crypto.subtle.digest = digest
    }
    expect(again).toMatchObject({ masked: 0, masked_before: 27 })
    expect(counted.filter((text) => outputs.has(text))).toHaveLength(3)
    // One hash for each of the 27 outputs, and one for the opening that identifies the conversation.
    expect(hashes.filter((size) => size >= 2000)).toHaveLength(27)
    expect(hashes).toHaveLength(28)
    const [missions, memex] = [
      calls(deps.missions, 'read', 'apply'),
      calls(deps.memex, 'put', 'get'),
    ]
    expect(missions).toEqual({
      read: (before[0]?.['read'] ?? 0) + 1,
      apply: (before[0]?.['apply'] ?? 0) + 1,
    })
    expect(memex).toEqual(before[1])
    expect(await rows()).toBe(logged)
  })

  test('one call stores at most a hundred masks, and the next calls store the rest', async () => {
    const first = await mask(session(250))
    expect(first).toMatchObject({ masked: 100, postponed: 147 })
    expect(decided(first)).toMatchObject({ c100: 'masked', c101: 'postponed' })
    const second = await mask(session(250))
    expect(second).toMatchObject({ masked: 100, masked_before: 100, postponed: 47 })
    const third = await mask(session(250))
    expect(third).toMatchObject({ masked: 47, masked_before: 200 })
    expect(third.postponed).toBeUndefined()
  })

  test.each(['break_even', 'percent'])(
    'masking goes on at the next call under %s, even where it would not begin',
    async (type) => {
      const trigger = type === 'percent' ? { type, value: 70 } : { type }
      const policy = { trigger, min_bytes: 0, target_percent: 10, alpha: 0.001 }
      const window_tokens = 150_000
      const first = await mask(session(250), policy, { window_tokens })
      expect(first).toMatchObject({ masked: 100, postponed: expect.any(Number) })
      const second = await mask(session(250), policy, { window_tokens })
      expect(second.masked).toBeGreaterThan(0)
    },
  )

  describe('in several conversations', () => {
    const opening = (text: string, turns: number, from: number): Message[] => [
      { role: 'user', content: text },
      ...session(turns, from).slice(1),
    ]

    test('masks are found in each conversation, and each is charged for its own calls once', async () => {
      const a = opening('Plan it.', 6, 1)
      const b = opening('Search it.', 3, 100)
      await mask(a, { trigger: { type: 'break_even' } })
      await mask(b, { trigger: { type: 'break_even' } })
      const { masking } = await stateOf()
      await mask(a, { trigger: { type: 'break_even' } })
      const state = await stateOf()
      expect(state.masking.cost).toEqual(masking.cost)
      expect(state.conversations).toHaveLength(1)
      const { conversations } = await api.ok('get_mission', { mission })
      expect(conversations).toHaveLength(2)
      expect(conversations[0]?.percent).toBeGreaterThan(conversations[1]?.percent ?? 100)
    })

    test('a mask of one conversation changes no answer of another', async () => {
      const a = opening('Plan it.', 8, 1)
      const b = opening('Search it.', 8, 100)
      await mask(a)
      expect((await mask(b)).first_changed_pointer).toBe('/messages/2/content/0/content')
      expect((await mask(a)).first_changed_pointer).toBeNull()
      expect((await mask(b)).first_changed_pointer).toBeNull()
    })

    test('a mask belongs to the conversation that its caller names', async () => {
      await mask(session(8), always, { conversation: 'main' })
      await mask(session(8), always, { conversation: 'branch' })
      const { conversations } = await api.ok('get_mission', { mission })
      expect(conversations.map(({ id }) => id)).toEqual(['branch', 'main'])
    })

    test('a conversation stays the same where the system prompt changes from call to call', async () => {
      for (let turns = 1; turns <= 6; turns++)
        await api.ok('mask', {
          mission,
          body: {
            request: { system: `It is day ${turns}.`, messages: session(turns) },
            policy: always,
          },
        })
      // The first call has no result by which the second could recognise its conversation.
      expect((await stateOf()).conversations.length).toBeLessThanOrEqual(1)
    })

    test('a mission keeps at most 32 conversations', async () => {
      for (let n = 0; n < 40; n++) await mask(opening(`Search ${n}.`, 2, 10 * n))
      const { conversations } = await api.ok('get_mission', { mission })
      expect(conversations).toHaveLength(32)
      const owner = { tenant: 'acme', mission }
      const kept = await deps.missions?.page(owner, 'conversation', { limit: 100 })
      expect(kept?.items).toHaveLength(31)
    })
  })

  test('a masked output does not count for the meter, whether it is sent raw or masked', async () => {
    const first = await mask(session(20))
    const raw = { request: { messages: session(20) }, window_tokens: 1_000_000 }
    const kept = { request: first.request, window_tokens: 1_000_000 }
    const reported = await api.ok('report_context', { mission, body: raw })
    expect(reported.percent).toBe(first.context.after)
    expect((await api.ok('report_context', { mission, body: kept })).percent).toBe(reported.percent)
    expect(reported.extracts_due.map(({ call_id }) => call_id)).not.toContain('c1')
  })
})

describe('an output that the Memex refuses', () => {
  test('an output that the Memex refuses is scanned and logged once, and not advised to be masked again', async () => {
    let scans = 0
    const finding = { rule: 'test', severity: 'secret', start: 0, end: 1 } as const
    const scan = (text: string) => {
      scans += 1
      return Promise.resolve(text.includes('SEKRIT') ? [finding] : [])
    }
    const api = await memoryApi({ ...memoryDeps(), loadSecrets: () => Promise.resolve(scan) })
    const messages = [
      start,
      ...turnOf('s', `SEKRIT ${toolOutput(2000, 1)}`),
      ...session(3).slice(1),
    ]
    const body = { request: { messages }, policy: always, window_tokens: 2_000 }
    for (let times = 0; times < 3; times++) {
      const { decisions } = await api.ok('mask', { mission, body })
      expect(decisions[0]?.decision).toBe('secret')
    }
    expect(scans).toBe(1)
    const { items } = await api.ok('mission_log', { mission, log: 'masking' })
    expect(items).toHaveLength(1)
    const report = { request: { messages }, window_tokens: 2_000 }
    const { advice } = await api.ok('report_context', { mission, body: report })
    expect(advice.action).not.toBe('mask')
  })
})
