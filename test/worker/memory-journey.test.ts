import { evictDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { createApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { readTar } from '../support/read-tar.ts'
import { toolOutput } from '../support/session.ts'
import { claimsOf } from '../support/tokens.ts'
import { fetchWorker, workerApi } from '../support/worker.ts'
import { breadcrumb, extract } from '../support/working-memory.ts'

const tenant = 'memory-journey'
const mission = 'long-task'
const objective = 'Find why the nightly build is red.'
const success_criteria = 'The build is green twice in a row.'
const text = new TextDecoder()

/** One paragraph of some 120 tokens. */
const PARAGRAPH =
  'The agent listed the jobs of the nightly build and read the three that fail most. Two of them ' +
  'share a fixture that writes to the home folder, and the third waits for a port that another job ' +
  'holds. It tried the fixture with a folder of its own, which made the first two pass, and then ' +
  'looked for whoever opens the port. The search led to a helper that starts a server and never ' +
  'stops it when a test fails early, so the next job finds the port taken. No other helper opens a ' +
  'port, and the configuration of the runner was read and changes nothing about it.'

/** Thirty turns of reasoning; every second one reads a file of 3,000 bytes, until turn 16. */
const session = {
  model: 'claude-opus-4-5',
  system: `${objective}\n${success_criteria}`,
  messages: [
    { role: 'user', content: 'Go.' },
    ...Array.from({ length: 30 }, (_, turn) => {
      const reads = turn % 2 === 0 && turn < 16
      const id = `call_${turn}`
      const thought = { type: 'text', text: `Turn ${turn}. ${toolOutput(4300, turn + 500)}` }
      return [
        {
          role: 'assistant',
          content: reads
            ? [thought, { type: 'tool_use', id, name: 'read_file', input: { path: `${turn}.ts` } }]
            : [thought],
        },
        {
          role: 'user',
          content: reads
            ? [{ type: 'tool_result', tool_use_id: id, content: toolOutput(3000, turn) }]
            : 'Go on.',
        },
      ]
    }).flat(),
  ],
}

test('a session takes the whole path of the seed', async () => {
  const api = await workerApi(tenant)
  const report = (body: object) => api.ok('report_context', { mission, body })
  const advice = async () => (await api.ok('get_mission', { mission })).advice

  // The window is such that the session fills 72 % of it.
  const { tokens } = await report({ request: session, window_tokens: 1_000_000 })
  const window_tokens = Math.round((tokens ?? 0) / 0.72)
  await api.ok('put_mission', { mission, body: { objective, success_criteria, window_tokens } })
  await api.ok('put_artifact', { mission, artifact: 'map.md', body: '\ufeff# Map\r\n' })

  // Step 1: large outputs become extracts, the largest first, until none is due.
  const before = await report({ request: session, window_tokens })
  expect(before).toMatchObject({ zone: 'red', advice: { action: 'mask', rule: 'maskable' } })
  expect(before.percent).toBeCloseTo(72, 1)
  expect(before.extracts_due).toHaveLength(8)
  for (const { call_id, tool, turn } of before.extracts_due)
    await api.ok('put_extract', { mission, task: 'build', turn, body: extract(call_id, { tool }) })
  expect((await report({ request: session, window_tokens })).extracts_due).toEqual([])

  // Steps 3 and 4: masking is free and comes first; 66 % after it is not enough.
  const masked = await api.ok('mask', { mission, body: { request: session, window_tokens } })
  expect(masked.masked).toBe(5)
  expect(masked.context.after).toBeGreaterThan(65)
  expect(masked.context.after).toBeLessThan(70)
  expect(
    JSON.stringify(masked.request).match(
      /See extract at memory\/extracts\/build-turn-\d+\.md, raw at memex:/g,
    ),
  ).toHaveLength(5)
  expect(masked.target_unreachable?.largest).not.toEqual([])
  expect(masked.advice).toMatchObject({ action: 'summarize', rule: 'condense' })

  // Step 5: one paragraph in place of an eligible range; of two writers at once, one wins.
  const [first, second] = masked.advice?.ranges ?? []
  const summary = (turns: unknown, context_percent: number) => ({
    turns,
    text: PARAGRAPH,
    saved_tokens: 2600,
    context_percent,
  })
  const both = await Promise.all(
    [0, 1].map(() => api.send('add_summary', { mission, body: summary(first, 64.5) })),
  )
  expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 422]))
  await api.ok('add_summary', { mission, body: summary(second, 63) })
  expect(await advice()).toMatchObject({ action: 'hold', rule: 'watch' })

  // Step 6 and decision point 2: once condensed, never again; delegate, or switch when one-off.
  const again = await report({ used_percentage: 68, turn: 34 })
  expect(again.advice).toMatchObject({ action: 'delegate', rule: 'condensed' })
  for (const turns of [first, { from: (second?.to ?? 0) - 1, to: (second?.to ?? 0) + 2 }])
    expect(await api.refused('add_summary', { mission, body: summary(turns, 60) })).toMatchObject({
      code: 'resummarization_refused',
    })
  const delegation = {
    objective: 'Stop the server of the helper when a test fails early.',
    paths: ['test/helper.ts', 'memory/extracts/build-turn-1.md', masked.decisions[0]?.ref ?? ''],
    success_criteria: 'The port is free after a failing test.',
    window_tokens: 50_000,
  }
  await api.ok('put_mission', { mission, body: { one_off: true } })
  expect(await advice()).toMatchObject({ action: 'switch', rule: 'condensed' })
  expect(await api.refused('delegate', { mission, body: delegation })).toMatchObject({
    code: 'one_off_mission',
  })
  await api.ok('put_mission', { mission, body: { one_off: false } })

  // Steps 8 and 9: the child starts at 0 % and inherits nothing but what it was given.
  const { mission: child, packet, token } = await api.ok('delegate', { mission, body: delegation })
  const childApi = createApi(fetchWorker, token)
  expect(claimsOf(token)).toMatchObject({ tenant, mission: child })
  expect(packet).toEqual({
    ...delegation,
    breadcrumb: null,
    excerpts: [masked.decisions[0]?.ref],
  })
  expect(await childApi.ok('get_mission', { mission: child })).toMatchObject({
    context: { percent: 0, zone: 'green' },
    advice: { action: 'continue' },
    extracts_due: [],
    window_tokens: 50_000,
    model: null,
  })
  expect((await childApi.ok('list_memory', { mission: child })).items).toEqual([])
  const given = await childApi.ok('read_excerpts', {
    mission: child,
    body: { refs: packet.excerpts },
  })
  expect(given.items.map((item) => item.text)).toEqual([toolOutput(3000, 0)])
  expect(await childApi.refused('get_mission', { mission })).toMatchObject({
    code: 'mission_not_found',
  })

  // Steps 6 and 7: task complete, breadcrumb, switch; a fresh context has all of it behind it.
  const done = await report({ used_percentage: 69, turn: 35, task_complete: true })
  expect(done.advice).toMatchObject({ action: 'switch', rule: 'task_done' })
  const left = await api.ok('leave_breadcrumb', { mission, body: breadcrumb(240) })
  expect(left).toMatchObject({ words: 240, warnings: [] })
  await evictDurableObject(env.MISSIONS.getByName(`${tenant}/${mission}`))
  expect(await advice()).toMatchObject({ action: 'switch', rule: 'task_done' })
  const fresh = await report({ used_percentage: 4, turn: 1 })
  expect(fresh.advice).toMatchObject({ action: 'continue', rule: 'fine' })

  // The memory is the markdown files of the seed, one by one and as an archive.
  const { items } = await api.ok('list_memory', { mission })
  expect(items.map(({ path }) => path).filter((path) => !path.startsWith('extracts/'))).toEqual([
    'map.md',
    'masking-log.md',
    'summarization-log.md',
    left.path,
  ])
  expect(items.filter(({ path }) => /^extracts\/build-turn-\d+\.md$/.test(path))).toHaveLength(8)
  const archive = readTar(await api.ok('memory_tar', { mission }))
  expect([...archive.keys()]).toEqual(items.map(({ path }) => path))
  for (const { path } of items)
    expect(archive.get(path)).toEqual(await api.ok('read_memory_file', { mission, path }))

  const log = text.decode(archive.get('masking-log.md'))
  expect(log).toBe(`${masked.log_entry?.line}\n`)
  expect(log).toMatch(/^\[[\d:.TZ-]{24}\] masked 5 outputs, new context %: 6\d(?:\.\d+)?\n$/)
  const lines = text.decode(archive.get('summarization-log.md')).trim().split('\n')
  expect(lines.map((line) => line.slice(27))).toEqual([
    `summarized turns ${first?.from}-${first?.to}, saved 2600 tokens, new context %: 64.5`,
    `summarized turns ${second?.from}-${second?.to}, saved 2600 tokens, new context %: 63`,
  ])

  await eventually(async () => {
    const { results } = await env.LOGS.prepare(
      'SELECT line, turn_from, turn_to FROM summaries WHERE tenant = ? AND mission = ? ORDER BY at',
    )
      .bind(tenant, mission)
      .all()
    expect(results.map(({ line }) => line)).toEqual(lines)
    expect(results[1]).toMatchObject({ turn_from: second?.from, turn_to: second?.to })
  })

  const signals = await api.ok('list_signals', { mission })
  expect(signals.items.filter(({ holds }) => !holds)).toEqual([])
  expect(signals.items[0]?.figures).toEqual({ masked: 5, with_extract: 5 })
})
