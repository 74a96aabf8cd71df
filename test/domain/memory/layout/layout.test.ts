import { describe, expect, it } from 'vitest'
import { createTokenizer } from '../../../../src/adapters/tokens/gpt-tokens.ts'
import { renderExtract } from '../../../../src/domain/memory/entries/extract.ts'
import type { LayoutFacts } from '../../../../src/domain/memory/layout/breaks.ts'
import { judgeLayout } from '../../../../src/domain/memory/layout/layout.ts'
import { layoutParts } from '../../../../src/domain/memory/layout/parts.ts'
import { detectFormat } from '../../../../src/domain/transcript/detect.ts'
import { messageList } from '../../../../src/domain/transcript/message-list.ts'

const count = await createTokenizer()()
const REF = `memex://excerpt/${'a'.repeat(64)}`
const facts: LayoutFacts = {
  objective: 'Find why the nightly build is red.',
  success_criteria: 'The build is green twice in a row.',
  system: null,
  task_state: null,
}

function judged(request: unknown, known: Partial<LayoutFacts> = {}) {
  const lens = detectFormat(request)
  const list = messageList(request)
  if (!lens.ok || !list.ok) throw new Error('not a transcript')
  const reading = lens.value.read(request)
  if (!reading.ok) throw new Error('not readable')
  const parts = layoutParts(list.value, reading.value)
  return judgeLayout(parts, reading.value.turns, { ...facts, ...known }, count)
}

const call = (id: string, text: string) => ({
  role: 'assistant',
  content: [
    { type: 'text', text },
    { type: 'tool_use', id, name: 'bash', input: { command: 'ls' } },
  ],
})
const result = (id: string, content: string) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})
const MASKED = `[Tool: bash. Output masked. See ${REF}]`
const EXTRACT = renderExtract({
  task: 'build',
  turn: 1,
  call_id: 'c1',
  tool: 'bash',
  bullets: ['a', 'b', 'c'],
  ref: null,
  at: '2026-11-30T15:04:05.006Z',
})

const good = {
  model: 'claude-opus-4-5',
  system: `${facts.objective}\n${facts.success_criteria}\nYou are careful.`,
  tools: [{ name: 'bash', description: 'runs '.repeat(500), input_schema: { type: 'object' } }],
  messages: [
    { role: 'user', content: 'Go.' },
    call('c1', 'First I look.'),
    result('c1', MASKED),
    call('c2', EXTRACT),
    result('c2', 'x'.repeat(100)),
    call('c3', 'Then I read.'),
    result('c3', 'y'.repeat(5000)),
    call('c4', 'Now I know.'),
    result('c4', 'z'.repeat(5000)),
  ],
}

describe('judgeLayout', () => {
  it('reports no break for a context in the right order', () => {
    const layout = judged(good)
    expect(layout.breaks).toEqual([])
    expect(layout.first_100).toMatchObject({ fits: true, holds: true })
    expect(layout.order.map(({ part, place }) => `${place}: ${part}`)).toEqual([
      'start: objective',
      'start: success_criteria',
      'start: system',
      'start: task_state',
      'middle: extracts',
      'middle: masked_outputs',
      'end: recent_outputs',
      'end: recent_reasoning',
    ])
    expect(layout.order.map(({ pointers }) => pointers)).toEqual([
      ['/system'],
      ['/system'],
      ['/system'],
      [],
      ['/messages/3/content/0'],
      ['/messages/2/content/0/content'],
      [
        '/messages/4/content/0/content',
        '/messages/6/content/0/content',
        '/messages/8/content/0/content',
      ],
      ['/messages/7/content/1'],
    ])
  })

  it('reports where objective and success criteria end when that is past the first 100 tokens', () => {
    const layout = judged({ ...good, system: `${'Be careful. '.repeat(60)}${good.system}` })
    expect(layout.first_100).toMatchObject({ fits: true, holds: false })
    expect(layout.breaks.map(({ rule, detail }) => [rule, detail])).toEqual([
      [
        'critical_within_first_100_tokens',
        expect.stringMatching(/^The objective ends at token 1\d\d /),
      ],
      [
        'critical_within_first_100_tokens',
        expect.stringMatching(/^The success_criteria ends at token 1\d\d /),
      ],
    ])
  })

  it('counts the first 100 tokens exactly', () => {
    const filler = (tokens: number) => ' a'.repeat(tokens)
    const own = count(good.system.slice(0, good.system.indexOf('\nYou')))
    for (const [tokens, holds] of [
      [100 - own, true],
      [100 - own + 1, false],
    ] as const) {
      const system = `${filler(tokens - 1)}\n${good.system}`
      expect(count(system.slice(0, system.indexOf('\nYou')))).toBe(own + tokens)
      expect(judged({ ...good, system }).first_100.holds).toBe(holds)
    }
  })

  it('reports an objective and success criteria that do not fit the first 100 tokens', () => {
    const objective = 'Find why it is red, and also this. '.repeat(20).trim()
    const layout = judged(
      { ...good, system: `${objective}\n${facts.success_criteria}` },
      { objective },
    )
    expect(layout.first_100).toEqual({ tokens: expect.any(Number), fits: false, holds: false })
    expect(layout.breaks[0]).toMatchObject({
      rule: 'critical_within_first_100_tokens',
      detail: `The objective and success criteria have ${layout.first_100.tokens} tokens and don't fit the first 100.`,
    })
  })

  it('reports an objective that is not at the start, and success criteria that the mission lacks', () => {
    const layout = judged({ ...good, system: 'Hello.' }, { success_criteria: null })
    expect(layout.breaks.map(({ detail }) => detail)).toEqual([
      'The objective does not stand at the start of the request.',
      'The mission has no success_criteria.',
    ])
  })

  it('reports a task state that is not before the first turn', () => {
    const known = { system: 'You are careful.', task_state: 'Step 2 of 5.' }
    expect(judged(good, known).breaks).toMatchObject([
      { rule: 'blocks_at_start', detail: expect.stringContaining('task_state') },
    ])
  })

  it('reports an extract at the start and a masked output at the end', () => {
    const messages = [
      { role: 'user', content: EXTRACT },
      ...good.messages.slice(1),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c4', content: MASKED }] },
    ]
    expect(judged({ ...good, messages }).breaks).toMatchObject([
      {
        rule: 'old_material_in_middle',
        pointer: '/messages/0/content',
        detail: 'An extract stands at the start.',
      },
      {
        rule: 'old_material_in_middle',
        pointer: '/messages/9/content/0/content',
        detail: 'A masked output stands at the end.',
      },
    ])
  })

  it('reports instructions after the last reasoning', () => {
    const messages = [
      { role: 'system', content: `${facts.objective} ${facts.success_criteria}` },
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: 'Done.' },
      { role: 'system', content: 'Remember the rules.' },
    ]
    expect(judged({ messages }).breaks).toMatchObject([
      { rule: 'reasoning_last', pointer: '/messages/3/content' },
    ])
  })

  it('reports each large output of an old turn that is not masked', () => {
    const turns = Array.from({ length: 30 }, (_, index) => [
      call(`t${index}`, 'next'),
      result(`t${index}`, 'o'.repeat(index % 2 === 0 ? 3000 : 300)),
    ]).flat()
    const { breaks } = judged({ ...good, messages: [{ role: 'user', content: 'Go.' }, ...turns] })
    expect(breaks.every(({ rule }) => rule === 'recent_turns_only')).toBe(true)
    expect(breaks).toHaveLength(14)
    expect(breaks[0]).toMatchObject({
      pointer: '/messages/2/content/0/content',
      detail: 'An output of turn 1 of 30 stands in full.',
    })
  })

  it('reads a bare list of messages', () => {
    const system = { role: 'system', content: `${facts.objective} ${facts.success_criteria}` }
    expect(
      judged([system, { role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Ho' }])
        .breaks,
    ).toEqual([])
  })
})
