import { beforeEach, describe, expect, it } from 'vitest'
import type { SummaryEntry } from '../../../src/domain/memory/records.ts'
import type { Api } from '../../support/api.ts'
import { memoryApi, memoryDeps } from '../../support/memory-deps.ts'
import type { MemoryDeps } from '../../support/memory-deps.ts'
import { breadcrumb, extract, quarterTokens, summary } from '../../support/working-memory.ts'

const mission = 'm.1'
const text = new TextDecoder()

let deps: MemoryDeps
let api: Api
beforeEach(async () => {
  deps = memoryDeps()
  api = await memoryApi(deps)
})

const file = async (path: string) =>
  text.decode(await api.ok('read_memory_file', { mission, path }))

describe('extracts', () => {
  const task = 'task-123'
  const turn = 5

  it('open a mission, and are read back as the markdown file of the seed', async () => {
    const { path } = await api.ok('put_extract', { mission, task, turn, body: extract('c1') })
    expect(path).toBe('extracts/task-123-turn-5.md')
    expect(await file(path)).toMatch(
      /^# task-123, turn 5\n\n\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] grep, call c1\n\n- The flag is read in a\.ts\n- It is set in b\.ts\n- Nobody tests it\n$/,
    )
  })

  it('have a number where calls are parallel, and keep it', async () => {
    for (const [call, path] of [
      ['c1', 'extracts/task-123-turn-5.md'],
      ['c2', 'extracts/task-123-turn-5-2.md'],
      ['c3', 'extracts/task-123-turn-5-3.md'],
      ['c2', 'extracts/task-123-turn-5-2.md'],
    ] as const)
      expect(await api.ok('put_extract', { mission, task, turn, body: extract(call) })).toEqual({
        path,
      })
  })

  it.each([2, 6])('with %i bullets are refused with a hint', async (count) => {
    const bullets = Array.from({ length: count }, () => 'a fact')
    const body = extract('c1', { bullets })
    expect(await api.refused('put_extract', { mission, task, turn, body })).toMatchObject({
      status: 422,
      code: 'bullets_out_of_range',
      hint: 'An extract has 3 to 5 bullets.',
    })
    expect(await api.refused('list_memory', { mission })).toMatchObject({
      code: 'mission_not_found',
    })
  })

  it('name raw bytes that are there, or are refused', async () => {
    const stored = await api.ok('write_excerpt', { mission, body: 'raw output' })
    const body = extract('c1', { ref: stored.ref })
    const { path } = await api.ok('put_extract', { mission, task, turn, body })
    expect(await file(path)).toContain(`raw at ${stored.ref}\n`)
    const absent = extract('c2', { ref: `memex://excerpt/${'0'.repeat(64)}` })
    expect(await api.refused('put_extract', { mission, task, turn, body: absent })).toMatchObject({
      code: 'excerpt_not_found',
      errors: [{ pointer: '/ref' }],
    })
  })

  it.each(['-x', 'a b', 'a%2Fb', '..%2Fx', 'é', '%0Ax', 'constructor', 'x'.repeat(65)])(
    'of a task called %j have no path',
    async (bad) => {
      const sent = { mission, task: bad, turn, body: extract('c1') }
      expect(await api.refused('put_extract', sent)).toMatchObject({ code: 'invalid_identifier' })
    },
  )

  it('of tools that no provider allows, and of texts without UTF-8, are refused', async () => {
    for (const more of [
      { tool: 'a\nb' },
      { tool: '# x' },
      { call_id: 'a\ud800' },
      { bullets: ['\udc00', 'b', 'c'] },
    ])
      expect(
        await api.refused('put_extract', { mission, task, turn, body: extract('c1', more) }),
      ).toMatchObject({ code: 'invalid_input' })
  })
})

describe('an output that has an extract', () => {
  const output = 'line of output\n'.repeat(400)
  const request = {
    model: 'claude-opus-4-5',
    messages: [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'grep', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: output }] },
      { role: 'assistant', content: 'Thank you.' },
    ],
  }
  const policy = { trigger: { type: 'always' }, keep: 0 }

  it('is due one, and then no more; its placeholder names it, and unmasking restores it', async () => {
    const before = await api.ok('report_context', { mission, body: { request } })
    expect(before.extracts_due).toEqual([{ call_id: 'c1', tool: 'grep', turn: 1, bytes: 6000 }])
    await api.ok('put_extract', { mission, task: 'task-1', turn: 1, body: extract('c1') })
    const after = await api.ok('report_context', { mission, body: { request } })
    expect(after.extracts_due).toEqual([])
    const masked = await api.ok('mask', { mission, body: { request, policy } })
    expect(masked.extracts_due).toEqual([])
    const [decision] = masked.decisions
    const placeholder = `[Tool: grep. Output masked. See extract at memory/extracts/task-1-turn-1.md, raw at ${decision?.ref}]`
    expect(JSON.stringify(masked.request)).toContain(placeholder)
    expect(decision?.saved_tokens).toBe(1500 - Math.ceil(placeholder.length / 4))
    const restored = await api.ok('unmask', { mission, body: { request: masked.request } })
    expect(restored).toMatchObject({ request, restored: 1 })
  })

  it('is named by its extract in the edits of observations, too', async () => {
    const policied = { policy: { trigger: { type: 'always' }, keep: 0 }, window_tokens: 100_000 }
    await api.ok('put_mission', { mission, body: policied })
    const observed = { call_id: 'c1', tool: 'grep', turn: 1, output }
    await api.ok('observe', { mission, body: observed })
    await api.ok('put_extract', { mission, task: 'task-1', turn: 1, body: extract('c1') })
    const next = await api.ok('observe', {
      mission,
      body: { ...observed, call_id: 'c2', turn: 2, output: 'x'.repeat(4000) },
    })
    expect(next.edits).toMatchObject([
      {
        call_id: 'c1',
        placeholder: expect.stringContaining(
          'See extract at memory/extracts/task-1-turn-1.md, raw at',
        ),
      },
    ])
    const placeholder = next.edits[0]?.placeholder ?? ''
    const edited = structuredClone(request)
    edited.messages[2] = {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: placeholder }],
    }
    const restored = await api.ok('unmask', { mission, body: { request: edited } })
    expect(restored).toMatchObject({ request, restored: 1 })
  })
})

describe('an observation', () => {
  const observe = (turn: number) =>
    api.ok('observe', {
      mission,
      body: { call_id: `c${turn}`, tool: 'grep', turn, output: 'x'.repeat(4000) },
    })

  it('of the first turns after a breadcrumb begins a fresh context, a late one does not', async () => {
    await api.ok('put_mission', { mission, body: { window_tokens: 20_000 } })
    for (const turn of [1, 2, 3, 4, 5, 6]) await observe(turn)
    await api.ok('leave_breadcrumb', { mission, body: breadcrumb(200) })
    expect((await observe(5)).advice.rule).toBe('task_done')
    const before = await api.ok('get_mission', { mission })
    expect(before.context?.percent).toBeGreaterThan(25)
    const fresh = await api.ok('observe', {
      mission,
      body: { call_id: 'new', tool: 'grep', turn: 1, output: 'x'.repeat(4000) },
    })
    expect(fresh.advice.rule).toBe('fine')
    expect(fresh.extracts_due.map(({ call_id }) => call_id)).toEqual(['new'])
    const after = await api.ok('get_mission', { mission })
    expect(after.context?.percent).toBe(5)
  })
})

describe('summaries', () => {
  beforeEach(async () => {
    await api.ok('report_context', { mission, body: { used_percentage: 68, turn: 40 } })
  })

  it('are logged in the form of the seed, and each number in the line is in the entry', async () => {
    const { id, line } = await api.ok('add_summary', { mission, body: summary(1, 4) })
    expect(line).toMatch(
      /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] summarized turns 1-4, saved 2400 tokens, new context %: 61$/,
    )
    const log = await api.ok('mission_log', { mission, log: 'summarization' })
    expect(log.items).toMatchObject([
      { id, line, turns: { from: 1, to: 4 }, saved_tokens: 2400, percent: 61, tokens: 120 },
    ])
    const { at, percent, saved_tokens, turns } = log.items[0] as unknown as SummaryEntry
    expect(line).toBe(
      `[${at}] summarized turns ${turns.from}-${turns.to}, saved ${saved_tokens} tokens, new context %: ${percent}`,
    )
    expect(await file('summarization-log.md')).toBe(`${line}\n`)
    const history = await api.ok('context_history', { mission })
    expect(history.items.at(-1)).toMatchObject({ percent: 61, cause: 'summary' })
  })

  it.each([
    ['over another range, partly', summary(3, 6), 'resummarization_refused'],
    ['over another range, wholly', summary(4, 8), 'resummarization_refused'],
    ['over the last ten turns', summary(29, 31), 'range_not_eligible'],
    ['over six turns', summary(10, 15), 'range_not_eligible'],
    ['over two turns', summary(10, 11), 'range_not_eligible'],
    ['of 60 tokens', summary(10, 14, { text: quarterTokens(60) }), 'summary_out_of_range'],
    ['of 220 tokens', summary(10, 14, { text: quarterTokens(220) }), 'summary_out_of_range'],
  ])('%s are refused with a hint', async (_, body, code) => {
    await api.ok('add_summary', { mission, body: summary(4, 8) })
    const problem = await api.refused('add_summary', { mission, body })
    expect(problem).toMatchObject({ status: 422, code, hint: expect.any(String) })
    expect((await api.ok('mission_log', { mission, log: 'summarization' })).items).toHaveLength(1)
  })

  it('of two writers at once: one wins', async () => {
    const answers = await Promise.all(
      [summary(4, 8), summary(6, 9), summary(4, 8)].map((body) =>
        api.send('add_summary', { mission, body }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 422, 422])
  })

  it('under a key are taken once, also where the answer was lost', async () => {
    const sent = { mission, body: summary(4, 8), headers: { 'idempotency-key': 'once' } }
    const { missions } = deps
    const losing = await memoryApi({
      ...deps,
      missions: {
        ...missions!,
        applyAndRead: async (occurrence, lookups) => {
          const applied = await missions!.applyAndRead(occurrence, lookups)
          if (occurrence.event.type === 'summarized') throw new Error('the connection was lost')
          return applied
        },
      },
    })
    expect((await losing.send('add_summary', sent)).status).toBe(503)
    const taken = await api.ok('add_summary', sent)
    expect(await api.ok('add_summary', sent)).toEqual(taken)
    const { items } = await api.ok('mission_log', { mission, log: 'summarization' })
    expect(items).toMatchObject([taken])
  })

  it('of more than one paragraph are refused', async () => {
    const body = summary(4, 8, { text: `${quarterTokens(60)}\n\n${quarterTokens(60)}` })
    expect(await api.refused('add_summary', { mission, body })).toMatchObject({
      code: 'invalid_input',
      errors: [{ pointer: '/text', detail: 'must be one paragraph' }],
    })
  })

  it('say what may be summarized, before and after', async () => {
    const problem = await api.refused('add_summary', { mission, body: summary(38, 40) })
    const [first] = problem['eligible'] as { from: number; to: number }[]
    await api.ok('add_summary', { mission, body: summary(first!.from, first!.to) })
    const again = await api.refused('add_summary', { mission, body: summary(38, 40) })
    expect(again['eligible']).not.toContainEqual(first)
  })
})

describe('breadcrumbs', () => {
  it('are appended to the file of the UTC day, several a day', async () => {
    const first = await api.ok('leave_breadcrumb', { mission, body: breadcrumb(250) })
    expect(first).toEqual({
      path: `${new Date().toISOString().slice(0, 10)}.md`,
      words: 250,
      warnings: [],
    })
    await api.ok('leave_breadcrumb', { mission, body: breadcrumb(220, { next: 'SECOND' }) })
    const markdown = await file(first.path)
    expect(markdown.startsWith(`# ${first.path.slice(0, 10)}\n\n## `)).toBe(true)
    expect(markdown.match(/^## .*Z, task complete$/gm)).toHaveLength(2)
    expect(markdown.indexOf('onwards')).toBeLessThan(markdown.indexOf('SECOND'))
    expect((await api.ok('get_mission', { mission })).advice).toMatchObject({
      action: 'switch',
      rule: 'task_done',
    })
  })

  it.each([120, 400])('of %i words are accepted with a warning', async (count) => {
    expect(await api.ok('leave_breadcrumb', { mission, body: breadcrumb(count) })).toMatchObject({
      words: count,
      warnings: ['breadcrumb_outside_200_to_300_words'],
    })
  })

  it.each([40, 700])('of %i words are refused with a hint', async (count) => {
    expect(
      await api.refused('leave_breadcrumb', { mission, body: breadcrumb(count) }),
    ).toMatchObject({
      status: 422,
      code: 'breadcrumb_out_of_range',
      words: count,
      hint: '200 to 300 words; under 50 or over 600 is refused.',
    })
  })
})

describe('blocks', () => {
  it('are kept within their caps, and listed as a context has them', async () => {
    await api.ok('put_block', { mission, label: 'reference', body: { text: '👨‍👩‍👧‍👦'.repeat(200) } })
    await api.ok('put_block', { mission, label: 'working', body: { text: 'x'.repeat(9000) } })
    await api.ok('put_block', { mission, label: 'system', body: { text: 'x'.repeat(1000) } })
    const { items } = await api.ok('list_blocks', { mission })
    expect(items.map(({ label, characters, cap }) => [label, characters, cap])).toEqual([
      ['system', 1000, 1000],
      ['working', 9000, null],
      ['reference', 200, 200],
    ])
  })

  it.each([
    ['system', 1000],
    ['task_state', 500],
    ['reference', 200],
  ])('%s over %i characters by one is refused with a hint, never cut', async (label, cap) => {
    await api.ok('put_block', { mission, label, body: { text: 'x'.repeat(cap) } })
    const sent = { mission, label, body: { text: '👍🏽'.repeat(cap + 1) } }
    expect(await api.refused('put_block', sent)).toMatchObject({
      status: 422,
      code: 'block_over_cap',
      characters: cap + 1,
      cap,
      hint: 'Shorten it: a block is never cut.',
    })
    const { items } = await api.ok('list_blocks', { mission })
    expect(items[0]?.text).toBe('x'.repeat(cap))
  })

  it('of another label are not there', async () => {
    expect(
      await api.refused('put_block', { mission, label: 'human', body: { text: 'x' } }),
    ).toMatchObject({
      code: 'not_found',
    })
  })
})

describe('without an object for missions', () => {
  it('there is no working memory', async () => {
    const without = await memoryApi({ ...deps, missions: null })
    for (const [name, sent] of [
      ['put_extract', { task: 't', turn: 1, body: extract('c') }],
      ['add_summary', { body: summary(1, 4) }],
      ['leave_breadcrumb', { body: breadcrumb(200) }],
      ['put_block', { label: 'system', body: { text: 'x' } }],
      ['list_blocks', {}],
      ['list_memory', {}],
      ['read_memory_file', { path: 'masking-log.md' }],
      ['memory_tar', {}],
      ['list_signals', {}],
      ['judge_layout', { body: { request: [{ role: 'user', content: 'x' }] } }],
      [
        'delegate',
        { body: { objective: 'o', paths: [], success_criteria: 's', window_tokens: 1000 } },
      ],
    ] as const)
      expect(await without.refused(name, { mission, ...sent })).toMatchObject({
        code: 'storage_not_configured',
      })
  })
})

describe('secrets', () => {
  it('are refused in every text, where they stand', async () => {
    const scanning = await memoryApi({
      ...deps,
      loadSecrets: async () => async (bytes) =>
        bytes.includes('hunter2')
          ? [{ rule: 'password', severity: 'secret', start: 0, end: 7 }]
          : [],
    })
    await api.ok('put_mission', { mission, body: {} })
    const bullets = ['a', 'b', 'hunter2']
    const fired = (rest: object) => ({
      trigger: 'ET-1',
      fired_at: '2026-11-30T12:00:00.000Z',
      action_taken: 'halt',
      ...rest,
    })
    const long = `hunter2 ${quarterTokens(115)}`
    for (const [name, sent, pointer] of [
      ['put_extract', { task: 't', turn: 1, body: extract('c', { bullets }) }, '/bullets/2'],
      ['add_summary', { body: summary(1, 4, { text: long }) }, '/text'],
      ['leave_breadcrumb', { body: breadcrumb(200, { outputs: ['hunter2'] }) }, '/outputs/0'],
      ['put_block', { label: 'system', body: { text: 'hunter2' } }, '/text'],
      [
        'delegate',
        { body: { objective: 'hunter2', paths: [], success_criteria: 's', window_tokens: 1000 } },
        '/objective',
      ],
      ['put_mission', { body: { success_criteria: 'hunter2' } }, '/success_criteria'],
      ['report_context', { body: { used_percentage: 1, cause: 'hunter2' } }, '/cause'],
      ['write_excerpt', { body: 'a', query: { source: 'hunter2' } }, '/query/source'],
      ['record_escalation', { body: fired({ trigger: 'hunter2' }) }, '/trigger'],
      ['record_escalation', { body: fired({ on_probe: 'hunter2' }) }, '/on_probe'],
      ['record_escalation', { body: fired({ on_path: 'hunter2' }) }, '/on_path'],
      ['resolve_escalation', { id: 'e', body: { decision: 'resume', note: 'hunter2' } }, '/note'],
    ] as const)
      expect(await scanning.refused(name, { mission, ...sent })).toMatchObject({
        code: 'secret_detected',
        errors: [{ pointer }],
      })
    expect((await api.ok('list_memory', { mission })).items).toEqual([])
    expect((await api.ok('list_escalations', { mission })).items).toEqual([])
    expect((await api.ok('list_excerpts', { mission })).items).toEqual([])
  })
})
