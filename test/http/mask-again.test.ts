import { describe, expect, test } from 'vitest'
import type { Output } from '../../src/client/operation.ts'
import type { Api } from '../support/api.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import { toolOutput } from '../support/session.ts'

const mission = 'm'
type Masked = Output<'mask'>
type Message = object

/** One turn of an agent: a call of a tool, and what it printed. */
const turnOf = (id: string, text: string): Message[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read', input: { id } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] },
]

const start: Message = { role: 'user', content: 'Find it.' }

/** Deps whose scanner takes a word for a secret. */
function withSecret(word: string) {
  const finding = { rule: 'test', severity: 'secret', start: 0, end: 1 } as const
  const scan = (text: string) => Promise.resolve(text.includes(word) ? [finding] : [])
  return { ...memoryDeps(), loadSecrets: () => Promise.resolve(scan) }
}

/**
 * Sends a session under break-even, as a caller who keeps the masked request, each turn `repeats` times
 * more; gives how many results each turn masked.
 */
async function played(
  turns: number,
  outputOf: (turn: number) => string,
  repeats: number,
  more: object = {},
): Promise<number[]> {
  const api = await memoryApi(withSecret('SEKRIT'))
  const policy = { trigger: { type: 'break_even' }, ...more }
  let messages: Message[] = [start]
  const masked: number[] = []
  for (let turn = 1; turn <= turns; turn++) {
    messages.push(...turnOf(`c${turn}`, outputOf(turn)))
    let sum = 0
    for (let send = 0; send <= repeats; send++) {
      const body = { request: { model: 'claude-sonnet-4-5', messages }, policy }
      const answer: Masked = await api.ok('mask', { mission, body })
      messages = [...(answer.request as { messages: Message[] }).messages]
      sum += answer.masked
    }
    masked.push(sum)
  }
  return masked
}

describe('the regret of break-even', () => {
  const output = (turn: number) => toolOutput(4000, turn)

  test('a mask pays off the regret, and repeating a request adds none', async () => {
    const once = await played(20, output, 0)
    expect(once.some((masked) => masked > 1)).toBe(true)
    expect(once.filter((masked) => masked > 0).length).toBeLessThan(10)
    expect(await played(20, output, 1)).toEqual(once)
    expect(await played(20, output, 2)).toEqual(once)
  })

  test('an output that can not be stored adds no regret', async () => {
    const without = await played(20, output, 0)
    const secret = await played(20, (turn) => (turn === 1 ? 'SEKRIT ' : '') + output(turn), 0)
    // With one output less to mask, masks come later and not more often.
    const runs = (list: number[]) => list.filter((masked) => masked > 0).length
    expect(runs(secret)).toBeLessThanOrEqual(runs(without))
  })

  test('masking stays due while too little can be cleared', async () => {
    const more = { clear_at_least_tokens: 4000 }
    const held = await played(20, output, 0, more)
    const first = held.findIndex((masked) => masked > 0)
    // Four outputs of about a thousand tokens are due, before the three that are kept.
    expect(held[first]).toBeGreaterThanOrEqual(4)
    expect(first).toBeLessThan(12)
  })
})

describe('an old output that can not be stored', () => {
  const request = {
    model: 'claude-sonnet-4-5',
    messages: [
      start,
      ...turnOf('secret', `SEKRIT ${toolOutput(40_000, 1)}`),
      ...Array.from({ length: 8 }, (_, n) => turnOf(`c${n}`, toolOutput(6000, n + 2))).flat(),
    ],
  }

  test.each([75, 90, 99])(
    'the other outputs are masked in a context that is %i %% full',
    async (at) => {
      const api = await memoryApi(withSecret('SEKRIT'))
      const report = { request, window_tokens: 1_000_000 }
      const { tokens } = await api.ok('report_context', { mission: 'other', body: report })
      const window_tokens = Math.floor(((tokens ?? 0) * 100) / at)
      const answer = await api.ok('mask', { mission, body: { request, window_tokens } })
      const decisions = answer.decisions.map(({ decision }) => decision)
      expect(decisions[0]).toBe('secret')
      expect(decisions[1]).toBe('masked')
      expect(answer.context.after).toBeLessThan(answer.context.before ?? 0)
      // Above the target nothing that could be masked is left.
      if ((answer.context.after ?? 100) >= 60) expect(decisions).not.toContain('target_reached')
    },
  )
})

describe('a mask in a fresh context', () => {
  test('a mask in a fresh context reads its own percentage, not that of the last context', async () => {
    const api = await memoryApi(memoryDeps())
    const window_tokens = 200_000
    const old = { used_percentage: 85, window_tokens, turn: 80, task_complete: true }
    const { advice } = await api.ok('report_context', { mission, body: old })
    expect(advice.action).toBe('switch')
    const turns = Array.from({ length: 6 }, (_, n) => turnOf(`n${n}`, toolOutput(8000, n + 1)))
    const request = { model: 'my-own', messages: [start, ...turns.flat()] }
    const { percent } = await api.ok('count_tokens', { body: { request, window_tokens } })
    const answer = await api.ok('mask', { mission, body: { request } })
    expect(answer).toMatchObject({ masked: 0, context: { before: percent, after: percent } })
    expect(answer.advice).toMatchObject({ action: 'continue' })
    expect(await api.ok('report_context', { mission, body: { request } })).toMatchObject({
      percent,
      method: 'counted',
    })
  })
})

describe('when a summary has taken the place of older turns', () => {
  const turns = Array.from({ length: 10 }, (_, n) => turnOf(`c${n}`, toolOutput(4000, n + 1)))
  const policy = { trigger: { type: 'always' } }
  const maskOf = (api: Api, messages: Message[]) =>
    api.ok('mask', { mission, body: { request: { messages }, policy } })

  test('a kept output stays, and an extract is named, though their turns count less', async () => {
    const api = await memoryApi(memoryDeps())
    const keep = { decision: 'keep' } as const
    await api.ok('put_retention', { mission, turn: 6, call_id: 'c5', body: keep })
    const body = { call_id: 'c6', tool: 'read', bullets: ['One.', 'Two.', 'Three.'] }
    await api.ok('put_extract', { mission, task: 'task-1', turn: 7, body })
    const before = await maskOf(api, [start, ...turns.flat()])
    const summary = { role: 'assistant', content: 'So far: nothing in the first three files.' }
    const after = await maskOf(api, [start, summary, ...turns.slice(3).flat()])
    for (const { decisions, request } of [before, after]) {
      expect(decisions.find(({ call_id }) => call_id === 'c5')?.decision).toBe('pinned')
      expect(JSON.stringify(request)).toContain('See extract at memory/extracts/task-1-turn-7.md')
    }
  })
})

describe('the cost of a session', () => {
  test('a session costs the same when its caller sends masked outputs raw again', async () => {
    const costOf = async (keepsMasks: boolean) => {
      const api = await memoryApi(memoryDeps())
      const policy = { trigger: { type: 'always' } }
      let messages: Message[] = [start]
      for (let turn = 1; turn <= 20; turn++) {
        messages = [...messages, ...turnOf(`c${turn}`, toolOutput(2000, turn))]
        const { request } = await api.ok('mask', {
          mission,
          body: { request: { messages }, policy },
        })
        if (keepsMasks) messages = (request as { messages: Message[] }).messages
      }
      const { calls, masked, raw } = await api.ok('session_cost', { mission })
      return { calls, masked: Math.round(masked), raw: Math.round(raw) }
    }
    expect(await costOf(false)).toEqual(await costOf(true))
  })
})

describe('an observed object that the messages hold as a text', () => {
  test('an observed object that the messages hold as a text is restored as a text', async () => {
    const api = await memoryApi(memoryDeps())
    const policy = { trigger: { type: 'always' }, keep: 0 }
    await api.ok('put_mission', { mission, body: { policy } })
    const output = { stdout: toolOutput(2000, 1), code: 0 }
    const observe = (turn: number, more: object) =>
      api.ok('observe', { mission, body: { call_id: `c${turn}`, tool: 'sh', turn, ...more } })
    await observe(1, { output })
    const { edits } = await observe(2, { output: 'ok' })
    const call = { id: 'c1', type: 'function', function: { name: 'sh', arguments: '{}' } }
    const messages = [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: edits[0]?.placeholder },
      { role: 'assistant', content: 'Done.' },
    ]
    const { request, restored } = await api.ok('unmask', {
      mission,
      body: { request: { messages } },
    })
    expect(restored).toBe(1)
    const { content } = (request as { messages: { content: string }[] }).messages[1] ?? {}
    expect(JSON.parse(content ?? '')).toEqual(output)
  })
})
