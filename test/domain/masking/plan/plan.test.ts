import { describe, expect, test } from 'vitest'
import { NO_CALLS_MADE } from '../../../../src/domain/context/calls.ts'
import type { PolicyInput } from '../../../../src/domain/mission/policy.ts'
import { always, decisionsOf, emptyMemory, mask } from '../../../support/masking.ts'
import { anthropicTurn, openaiTurn, request, text } from '../../../support/transcripts.ts'

const open: PolicyInput = { trigger: { type: 'always' }, keep: 0 }
const big = text(4000)
const ten = request(
  ...Array.from({ length: 10 }, (_, index) =>
    anthropicTurn({ id: `c${index}`, content: `${index}${big}` }),
  ),
)

describe('the masking plan', () => {
  test('masks everything eligible but the last 3 results, and says so of each', async () => {
    const { plan } = await mask(ten)
    expect(decisionsOf(plan)).toEqual([
      ...Array.from({ length: 7 }, () => 'masked'),
      ...Array.from({ length: 3 }, () => 'inside_keep_window'),
    ])
    expect(plan.decisions[0]).toMatchObject({
      pointer: '/messages/2/content/0/content',
      call_id: 'c0',
      tool: 'read',
      turn: 1,
      bytes: 4001,
      tokens: 1001,
    })
    expect(plan.saved_tokens).toBe(
      plan.decisions.reduce((sum, decision) => sum + decision.saved_tokens, 0),
    )
  })

  test('keeps all results that the model has not seen yet, unless it keeps none', async () => {
    const messages = [
      ...anthropicTurn({ id: 'a', content: big }),
      ...anthropicTurn({ id: 'b', content: big }, { id: 'c', content: big }),
    ]
    const one = await mask(JSON.stringify(messages), { policy: { ...open, keep: 1 } })
    expect(decisionsOf(one.plan)).toEqual(['masked', 'inside_keep_window', 'inside_keep_window'])
    const none = await mask(JSON.stringify(messages), { policy: open })
    expect(decisionsOf(none.plan)).toEqual(['masked', 'masked', 'masked'])
  })

  test('percent: does nothing below the trigger', async () => {
    const { plan, source } = await mask(ten, {
      policy: {},
      meter: { percent: 69.9, window_tokens: 20_000 },
    })
    expect(source).toBe(ten)
    expect(plan.held).toBe('below_trigger')
    expect(new Set(decisionsOf(plan))).toEqual(new Set(['target_reached', 'inside_keep_window']))
    expect(plan.target_unreachable).toBeNull()
  })

  test('percent: masks the oldest until the context is below the target', async () => {
    const { plan } = await mask(ten, {
      policy: {},
      meter: { percent: 70, window_tokens: 20_000 },
    })
    // Each saves about 970 of 20,000 tokens, 4.9 percent: three are needed to get below 60.
    expect(plan.masked).toBe(3)
    expect(decisionsOf(plan).slice(0, 4)).toEqual(['masked', 'masked', 'masked', 'target_reached'])
    expect(plan.percent_after).toBeLessThan(60)
    expect(plan.percent_after).toBeGreaterThan(50)
  })

  test('percent: a calibrated meter needs fewer results for the same percent', async () => {
    const meter = { percent: 70, window_tokens: 20_000 }
    const { plan } = await mask(ten, { policy: {}, meter, ratio: 2 })
    expect(plan.masked).toBe(2)
    expect(plan.percent_after).toBeCloseTo(70 - (plan.saved_tokens * 2 * 100) / 20_000, 10)
  })

  test('percent: names the largest remaining items where the target is out of reach', async () => {
    const source = JSON.stringify({
      system: text(60_000),
      messages: JSON.parse(ten).messages,
    })
    const { plan } = await mask(source, {
      policy: {},
      meter: { percent: 95, window_tokens: 26_000 },
    })
    expect(plan.masked).toBe(7)
    expect(plan.target_unreachable?.largest.slice(0, 4)).toEqual([
      '/system',
      '/messages/16/content/0/content',
      '/messages/18/content/0/content',
      '/messages/20/content/0/content',
    ])
  })

  test('clears at least so many tokens, or nothing', async () => {
    const meter = { percent: 70, window_tokens: 20_000 }
    const more = await mask(ten, { policy: { clear_at_least_tokens: 5000 }, meter })
    expect(more.plan.saved_tokens).toBeGreaterThanOrEqual(5000)
    expect(more.plan.masked).toBe(6)
    const none = await mask(ten, { policy: { ...always, clear_at_least_tokens: 7000 } })
    expect(none.plan).toMatchObject({ masked: 0, saved_tokens: 0, held: 'under_clear_at_least' })
    expect(none.source).toBe(ten)
    expect(none.memory.excerpts.size).toBe(0)
  })

  test('gives each reason to stay', async () => {
    const source = request(
      anthropicTurn({ id: 'excluded', name: 'memory', content: big }),
      anthropicTurn({ id: 'pinned', content: big }),
      anthropicTurn({ id: 'small', content: text(900) }),
      anthropicTurn({ id: 'kept', content: big }),
      [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'orphan', content: big }] }],
      anthropicTurn({
        id: 'search',
        content: [
          { type: 'tool_reference', tool_name: 'x' },
          { type: 'text', text: big },
        ],
      }),
      anthropicTurn({ id: 'last', content: big }),
    )
    const { plan } = await mask(source, {
      policy: {
        trigger: { type: 'always' },
        min_bytes: 1000,
        keep: 1,
        exclude_tools: ['memory'],
        pinned: ['pinned'],
      },
      pinned: new Set(['/messages/8/content/0/content']),
    })
    expect(decisionsOf(plan)).toEqual([
      'excluded_tool',
      'pinned',
      'small',
      'pinned',
      'open_call',
      'unsupported_part',
      'inside_keep_window',
    ])
  })

  test('a tool is excluded by its own name, or by the one that placeholders and logs show', async () => {
    const source = request(
      anthropicTurn({ id: 'a', name: 'my.tool', content: big }),
      anthropicTurn({ id: 'b', name: 'other.tool', content: big }),
    )
    const policy = { ...open, exclude_tools: ['my.tool', 'other_tool'] }
    const { plan } = await mask(source, { policy })
    expect(decisionsOf(plan)).toEqual(['excluded_tool', 'excluded_tool'])
  })

  test('a ref may be pinned too', async () => {
    const first = await mask(ten)
    const ref = first.edits[2]?.ref ?? ''
    const { plan } = await mask(ten, { policy: { ...always, pinned: [ref] } })
    expect(decisionsOf(plan).slice(0, 4)).toEqual(['masked', 'masked', 'pinned', 'masked'])
  })

  test('never makes a result longer in tokens, or as long', async () => {
    const sizes = Array.from({ length: 60 }, (_, index) => index * 4)
    const source = request(
      ...sizes.map((size) => anthropicTurn({ id: `c${size}`, content: text(size) })),
    )
    const { plan } = await mask(source, { policy: open })
    for (const { decision, tokens, mask: how } of plan.decisions)
      if (decision === 'masked') expect(how?.saved_tokens).toBeGreaterThan(0)
      else expect([decision, tokens <= 29]).toEqual(['not_shorter', true])
    expect(plan.masked).toBeGreaterThan(0)
    expect(plan.masked).toBeLessThan(60)
  })

  test('refuses to store more than 8 MiB, and masks such a result only in context', async () => {
    const huge = 'x'.repeat(8 * 1024 * 1024 + 1)
    const source = request(anthropicTurn({ id: 'a', content: huge }))
    const kept = await mask(source, { policy: open })
    expect(decisionsOf(kept.plan)).toEqual(['too_large'])
    expect(kept.source).toBe(source)
    const placed = await mask(source, { policy: { ...open, unstorable: 'placeholder' } })
    expect(placed.edits).toMatchObject([{ placeholder: '[masked: read result]', ref: null }])
    expect(placed.memory.excerpts.size).toBe(0)
    expect(placed.plan.decisions[0]).toMatchObject({
      decision: 'masked',
      unstorable: 'too_large',
    })
  })

  test('without storage it masks in context', async () => {
    const source = request(openaiTurn({ id: 'a', name: 'file_search', content: big }))
    const done = await mask(source, { policy: open, storage: 'in_context' })
    expect(JSON.parse(done.source).messages[2].content).toBe('[masked: file_search result]')
    expect(done.plan.storage).toBe('in_context')
  })

  test('names the extract where there is one', async () => {
    const { edits } = await mask(ten, {
      extracts: new Map([
        ['/messages/2/content/0/content', 'memory/extracts/task-1-turn-1.md'],
        ['/messages/4/content/0/content', 'no such path]\n'],
      ]),
    })
    expect(edits[0]?.placeholder).toContain(
      'See extract at memory/extracts/task-1-turn-1.md, raw at memex://excerpt/',
    )
    expect(edits[1]?.placeholder).toContain('Output masked. See memex://excerpt/')
  })

  test('says that an error was masked', async () => {
    const source = request(anthropicTurn({ id: 'a', content: big, is_error: true }))
    const { edits, source: masked } = await mask(source, { policy: open })
    expect(edits[0]?.placeholder).toMatch(/^\[Tool: read\. Error output masked\. See memex/)
    expect(JSON.parse(masked).messages[2].content[0].is_error).toBe(true)
  })

  test('without a name the tool is unknown_tool', async () => {
    const turn = JSON.parse(JSON.stringify(anthropicTurn({ id: 'a', content: big })))
    delete turn[0].content[1].name
    const { edits } = await mask(request(turn), { policy: open })
    expect(edits[0]?.placeholder).toMatch(/^\[Tool: unknown_tool\. Output masked/)
  })

  test('is the same plan for the same input', async () => {
    expect((await mask(ten)).plan).toEqual((await mask(ten)).plan)
  })
})

describe('a plan whose bytes could not be stored', () => {
  const failed = '/messages/4/content/0/content'

  test('leaves the result as it is, with the reason', async () => {
    const { plan } = await mask(ten)
    const unstorable = new Map([[failed, 'store_failed' as const]])
    const { plan: settled } = await mask(ten, { unstorable })
    expect(decisionsOf(settled).slice(0, 3)).toEqual(['masked', 'store_failed', 'masked'])
    expect(settled.masked).toBe(6)
    expect(settled.saved_tokens).toBe(plan.saved_tokens - (plan.decisions[1]?.saved_tokens ?? 0))
  })

  test('takes an in-context placeholder where the policy wants one', async () => {
    const policy: PolicyInput = { ...always, unstorable: 'placeholder' }
    const unstorable = new Map([[failed, 'secret' as const]])
    const { plan: settled } = await mask(ten, { policy, unstorable })
    expect(settled.decisions[1]).toMatchObject({
      decision: 'masked',
      unstorable: 'secret',
      mask: { placeholder: '[masked: read result]', ref: null, excerpt: null },
    })
  })

  test('says anew whether the target is reached', async () => {
    const meter = { percent: 70, window_tokens: 20_000 }
    const { plan } = await mask(ten, { policy: {}, meter })
    expect(plan.target_unreachable).toBeNull()
    const all = new Map(plan.decisions.map(({ pointer }) => [pointer, 'store_failed' as const]))
    const { plan: settled } = await mask(ten, { policy: {}, meter, unstorable: all })
    expect(settled).toMatchObject({ masked: 0, percent_after: 70 })
    expect(settled.target_unreachable?.largest).toHaveLength(5)
  })

  test('takes others in its place until the target is reached', async () => {
    const meter = { percent: 70, window_tokens: 20_000 }
    const { plan } = await mask(ten, { policy: {}, meter })
    const first = plan.decisions[0]?.pointer ?? ''
    const unstorable = new Map([[first, 'secret' as const]])
    const { plan: settled } = await mask(ten, { policy: {}, meter, unstorable })
    expect(decisionsOf(settled)[0]).toBe('secret')
    expect(settled.masked).toBe(plan.masked)
    expect(settled.percent_after).toBeLessThan(60)
  })

  test('weighs break-even without it', async () => {
    const policy: PolicyInput = { trigger: { type: 'break_even' } }
    const { plan } = await mask(ten, { policy })
    const unstorable = new Map(plan.decisions.map(({ pointer }) => [pointer, 'secret' as const]))
    const { plan: settled } = await mask(ten, { policy, unstorable })
    expect(settled.break_even).toMatchObject({ due: false, maskable_tokens: 0 })
  })
})

/** A conversation with a regret, and with so much spent that no budget binds. */
const callsWith = (regret: number) => {
  const spent = { raw: 1e9, masked: 1 }
  const after = { ...NO_CALLS_MADE.after, spent, regret }
  return { state: { ...NO_CALLS_MADE, after }, fingerprint: 'new', raw: 1e6 }
}

describe('break-even', () => {
  const policy: PolicyInput = { trigger: { type: 'break_even' } }

  test('waits until staying has cost alpha of what rewriting costs', async () => {
    const waiting = await mask(ten, { policy: { ...policy, alpha: 1 } })
    const weighed = waiting.plan.break_even
    expect(waiting.plan).toMatchObject({ held: 'not_due', masked: 0 })
    expect(waiting.source).toBe(ten)
    expect(weighed?.regret).toBeCloseTo(0.1 * (weighed?.maskable_tokens ?? 0))
    const due = await mask(ten, {
      policy: { ...policy, alpha: 1 },
      calls: callsWith((weighed?.price ?? 0) - (weighed?.regret ?? 0) + 1),
    })
    expect(due.plan).toMatchObject({ held: null, masked: 7 })
  })

  test('is never due where nothing can be masked', async () => {
    const source = request(anthropicTurn({ id: 'a', content: 'short' }))
    const { plan } = await mask(source, { policy, calls: callsWith(1e9), memory: emptyMemory() })
    expect(plan.break_even).toMatchObject({ due: false, maskable_tokens: 0, suffix_tokens: 0 })
  })
})
