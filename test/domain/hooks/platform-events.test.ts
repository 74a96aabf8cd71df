import { describe, expect, it } from 'vitest'
import {
  claudeCodeHook,
  normaliseClaudeCode,
} from '../../../src/domain/hooks/senders/claude-code.ts'
import {
  langGraphReceiptId,
  langGraphRun,
  normaliseLangGraph,
} from '../../../src/domain/hooks/senders/langgraph.ts'
import { platformEvent } from '../../../src/domain/hooks/senders/platform-event.ts'
import {
  memberAt,
  normaliseStandard,
  standardEvent,
} from '../../../src/domain/hooks/senders/standard-event.ts'

const SIGNED = Date.UTC(2026, 10, 30, 12) / 1000
const AT = '2026-11-30T12:00:00.000Z'

const standard = (event: unknown) => normaliseStandard(standardEvent.parse(event), SIGNED)

describe('a Standard Webhooks event', () => {
  it('that completes a phase brings its artifacts and usage, and starts the next phase', () => {
    const usage = { input_tokens: 120_000, output_tokens: 10 }
    const event = standard({
      type: 'phase.completed',
      timestamp: '2026-11-30T13:00:00.123456+01:00',
      data: { mission: 'm-1', phase: 'locate', artifacts: { 'findings.md': '# F' }, usage, x: 1 },
    })
    expect(event).toEqual(
      platformEvent('phase.completed', '2026-11-30T12:00:00.123Z', {
        artifacts: { 'findings.md': '# F' },
        context: { usage },
        during: 'locate',
        phase: 'abstract',
      }),
    )
  })

  it('that completes the last phase completes the mission', () => {
    const completed = (phase: string) =>
      standard({ type: 'phase.completed', data: { phase } }).phase
    expect(['assess', 'traverse', 'synthesize', 'completed'].map(completed)).toEqual([
      'traverse',
      'locate',
      'completed',
      'completed',
    ])
  })

  it('has the time of its signature where it has none of its own', () => {
    expect(standard({ type: 'phase.started', data: { phase: 'locate' } })).toEqual(
      platformEvent('phase.started', AT, { during: 'locate', phase: 'locate' }),
    )
  })

  it('of a tool, a context, an escalation and a task are read', () => {
    const call = { call_id: 'c1', tool: 'Bash', output: 'ok', turn: 3 }
    expect(standard({ type: 'tool.completed', data: { call } }).call).toEqual({
      ...call,
      input: null,
      is_error: false,
    })
    expect(
      standard({ type: 'context.reported', data: { used_percentage: 71, cause: 'x' } }).context,
    ).toEqual({ used_percentage: 71 })
    expect(
      standard({
        type: 'escalation.fired',
        data: { trigger: 'ET-1', action_taken: 'stopped', on_path: 'a.ts' },
      }).escalation,
    ).toEqual({ trigger: 'ET-1', action_taken: 'stopped', on_path: 'a.ts', fired_at: AT })
    const done = standard({ type: 'task.completed', data: {} })
    expect([done.task_complete, done.context]).toEqual([true, null])
  })

  it.each([
    ['an unknown phase', { type: 'phase.started', data: { phase: 'dream' } }],
    ['no data', { type: 'phase.started' }],
    ['a time that is none', { type: 'task.completed', timestamp: 'now', data: {} }],
    [
      'a tool name with a line break',
      { type: 'tool.completed', data: { call: { call_id: 'c', tool: 'a\nb' } } },
    ],
    ['another document', { type: 'task.completed', data: { artifacts: { 'fold.md': 'x' } } }],
    ['a trigger without action', { type: 'escalation.fired', data: { trigger: 'ET-1' } }],
  ])('with %s is refused', (_what, event) => {
    expect(standardEvent.safeParse(event).success).toBe(false)
  })

  it('names its mission where the endpoint says; inherited members name nothing', () => {
    const payload = { data: { run: { id: 'm-1' } } }
    expect(memberAt(payload, 'data.run.id')).toBe('m-1')
    expect(memberAt(payload, 'data.run.constructor.name')).toBeUndefined()
    expect(memberAt(payload, 'data.missing.id')).toBeUndefined()
    expect(memberAt([1], 'length')).toBe(1)
    expect(memberAt(null, 'data')).toBeUndefined()
  })
})

describe('a Claude Code hook', () => {
  const now = SIGNED * 1000

  it.each(['PreCompact', 'SubagentStop', 'Stop', 'SessionEnd'] as const)(
    '%s is a boundary',
    (hook_event_name) => {
      const hook = claudeCodeHook.parse({ hook_event_name, session_id: 's', trigger: 'auto' })
      if (hook.hook_event_name === 'PostToolUse') expect.fail('not that one')
      expect(normaliseClaudeCode(hook, now)).toEqual(
        platformEvent(hook_event_name, AT, { boundary: true }),
      )
    },
  )

  it('SessionStart begins a context, with its tokens where it has them', () => {
    const hook = claudeCodeHook.parse({
      hook_event_name: 'SessionStart',
      source: 'compact',
      model: 'claude-sonnet-5',
      context_tokens: 21_000,
    })
    if (hook.hook_event_name !== 'SessionStart') expect.fail('not that one')
    expect(normaliseClaudeCode(hook, now)).toEqual(
      platformEvent('SessionStart compact', AT, {
        started: { source: 'compact' },
        context: { usage: { input_tokens: 21_000, output_tokens: 0 }, model: 'claude-sonnet-5' },
        boundary: true,
      }),
    )
  })
})

describe('a Claude Code session', () => {
  it.each([
    ['startup', true],
    ['clear', true],
    ['compact', true],
    ['resume', false],
    ['fork', false],
  ])('that starts by %s begins a fresh context: %s', (source, fresh) => {
    const hook = claudeCodeHook.parse({ hook_event_name: 'SessionStart', source })
    if (hook.hook_event_name !== 'SessionStart') expect.fail('not that one')
    expect(normaliseClaudeCode(hook, Date.parse(AT)).started !== null).toBe(fresh)
  })
})

describe('a LangGraph run', () => {
  const run = {
    run_id: '1ef-0',
    thread_id: 't',
    status: 'success',
    run_ended_at: '2026-11-30T12:00:00.000000',
    webhook_sent_at: '2026-11-30T12:00:01+00:00',
    values: { messages: [{ type: 'human', content: 'hi' }], other: 1 },
  }

  it('brings its messages as the context, at the time that it ended', () => {
    expect(normaliseLangGraph(langGraphRun.parse(run), 0)).toEqual(
      platformEvent('run.success', AT, {
        context: { request: { messages: run.values.messages } },
        boundary: true,
      }),
    )
  })

  it('that failed has no state, and is a boundary all the same', () => {
    const failed = { ...run, status: 'error', values: null, run_ended_at: null }
    expect(normaliseLangGraph(langGraphRun.parse(failed), 0)).toEqual(
      platformEvent('run.error', '2026-11-30T12:00:01.000Z', { boundary: true }),
    )
  })

  it('is the same run when its webhook is sent again later', () => {
    const again = { ...run, webhook_sent_at: '2026-11-30T12:09:00Z' }
    const ids = [run, again, { ...run, status: 'error' }].map((one) =>
      langGraphReceiptId(langGraphRun.parse(one)),
    )
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
  })
})
