import { beforeEach, describe, expect, it } from 'vitest'
import { digestOfRef } from '../../../../src/domain/digest.ts'
import type { Ref } from '../../../../src/domain/digest.ts'
import type { Api } from '../../../support/api.ts'
import { callsOf, faulty } from '../../../support/faults.ts'
import { memoryApi, memoryDeps } from '../../../support/memory-deps.ts'
import type { MemoryDeps } from '../../../support/memory-deps.ts'
import { anthropicSession } from '../../../support/session.ts'
import { unpackTar } from '../../../support/unpack-tar.ts'
import { breadcrumb, extract, summary } from '../../../support/working-memory.ts'

const mission = 'm.1'
const DAY = Date.parse('2026-11-30T23:59:58.000Z')
const text = new TextDecoder()

let time: number
let deps: MemoryDeps
let api: Api
beforeEach(async () => {
  time = DAY
  deps = { ...memoryDeps(), now: () => time++ }
  api = await memoryApi(deps)
  await api.ok('put_mission', { mission, body: { window_tokens: 200_000 } })
})

/** A mission with every kind of file in its memory. */
async function fill(): Promise<void> {
  const artifacts = {
    'mission.md': '\ufeff# Mission\r\n\r\nbytes stay\u0000',
    'map.md': '# Map\n',
    'findings.md': '# Findings, no line break at the end',
  }
  for (const [artifact, body] of Object.entries(artifacts))
    await api.ok('put_artifact', { mission, artifact, body })
  const policy = { trigger: { type: 'always' }, keep: 8 }
  for (const turns of [24, 30])
    await api.ok('mask', { mission, body: { request: anthropicSession(turns), policy } })
  await api.ok('add_summary', { mission, body: summary(1, 4) })
  await api.ok('add_summary', { mission, body: summary(5, 8, { context_percent: 41.25 }) })
  for (const call of ['c1', 'c2'])
    await api.ok('put_extract', { mission, task: 'task-1', turn: 7, body: extract(call) })
  await api.ok('put_extract', { mission, task: 't', turn: 0, body: extract('c9') })
  await api.ok('leave_breadcrumb', { mission, body: breadcrumb(200) })
  time += 60_000
  await api.ok('leave_breadcrumb', { mission, body: breadcrumb(220) })
  await api.ok('leave_breadcrumb', { mission, body: breadcrumb(240) })
}

const TREE = [
  'mission.md',
  'map.md',
  'findings.md',
  'masking-log.md',
  'summarization-log.md',
  '2026-11-30.md',
  '2026-12-01.md',
  'extracts/task-1-turn-7.md',
  'extracts/task-1-turn-7-2.md',
  'extracts/t-turn-0.md',
]

const file = async (path: string) =>
  text.decode(await api.ok('read_memory_file', { mission, path }))

describe('the tree', () => {
  it('has a file only for what there is', async () => {
    expect(await api.ok('list_memory', { mission })).toEqual({ items: [], next_cursor: null })
    for (const path of TREE)
      expect(await api.refused('read_memory_file', { mission, path })).toMatchObject({
        status: 404,
        code: 'memory_file_not_found',
        hint: 'GET …/memory lists the files.',
      })
  })

  it('lists each file once, whatever the size of a page', async () => {
    await fill()
    const whole = await api.ok('list_memory', { mission })
    expect(whole.items.map(({ path }) => path)).toEqual(TREE)
    expect(whole.next_cursor).toBeNull()
    for (const limit of [1, 2, 3, 4, 5, 6, 7, 10]) {
      const paths: string[] = []
      let cursor: string | null = null
      do {
        const query: Record<string, string | number> =
          cursor === null ? { limit } : { limit, cursor }
        const page = await api.ok('list_memory', { mission, query })
        expect(page.items.length).toBeLessThanOrEqual(limit)
        paths.push(...page.items.map(({ path }) => path))
        cursor = page.next_cursor
      } while (cursor !== null)
      expect(paths).toEqual(TREE)
    }
  })

  it('serves documents byte for byte', async () => {
    await fill()
    const bytes = await api.ok('read_memory_file', { mission, path: 'mission.md' })
    expect(new Uint8Array(bytes)).toEqual(
      new TextEncoder().encode('\ufeff# Mission\r\n\r\nbytes stay\u0000'),
    )
  })

  it('appends to the day of UTC, and begins the next day with a file of its own', async () => {
    await fill()
    expect((await file('2026-11-30.md')).match(/^## 2026-11-30T23:59:/gm)).toHaveLength(1)
    expect((await file('2026-12-01.md')).match(/^## 2026-12-01T00:0/gm)).toHaveLength(2)
  })

  it.each([
    'notes.md',
    '..',
    '../m.2/mission.md',
    'extracts%2F..%2Fmission.md',
    'extracts/',
    '%2e%2e%2fmission.md',
    'memory.tar',
  ])('has no file %j', async (path) => {
    await fill()
    const problem = await api.refused('read_memory_file', { mission, path })
    expect(['memory_file_not_found', 'not_found']).toContain(problem.code)
    expect(problem.status).toBe(404)
  })

  it('has its paths also with an escaped slash, and only markdown as its type', async () => {
    await fill()
    const response = await api.send('read_memory_file', { mission, path: 'extracts%2Ft-turn-0.md' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  })

  it('is closed to other tenants and to tokens of other missions', async () => {
    await fill()
    const other = await memoryApi(deps, 'other')
    const bound = await api.ok('mint_token', {
      body: { scope: ['mission:read'], mission: 'm.2', expires_in_s: 60 },
    })
    for (const name of ['list_memory', 'memory_tar', 'list_signals', 'list_blocks'] as const) {
      expect(await other.refused(name, { mission })).toMatchObject({ code: 'mission_not_found' })
      expect(await api.refused(name, { mission, token: bound.token })).toMatchObject({
        code: 'mission_not_found',
      })
    }
  })

  it('shows a clean-context subagent the three documents, and no more', async () => {
    await fill()
    const { token } = await api.ok('mint_token', {
      body: { scope: ['fold:read'], mission, expires_in_s: 60 },
    })
    for (const path of TREE) {
      const response = await api.send('read_memory_file', { mission, path, token })
      expect([path, response.status]).toEqual([path, TREE.indexOf(path) < 3 ? 200 : 403])
    }
    expect(await api.refused('list_memory', { mission, token })).toMatchObject({
      code: 'insufficient_scope',
    })
  })
})

describe('the logs', () => {
  it('have exactly the form of the seed, in time order, and no other line', async () => {
    await fill()
    const masking = await file('masking-log.md')
    expect(masking).toMatch(
      /^(?:\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] masked \d+ outputs, new context %: [\d.]+\n){2}$/,
    )
    const summarization = await file('summarization-log.md')
    expect(summarization).toMatch(
      /^(?:\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] summarized turns \d+-\d+, saved \d+ tokens, new context %: [\d.]+\n){2}$/,
    )
    for (const log of [masking, summarization]) {
      const times = log
        .trim()
        .split('\n')
        .map((line) => line.slice(1, 25))
      expect(times.toSorted()).toEqual(times)
    }
  })

  it('have only numbers that the API gives: items, and samples of the context', async () => {
    await fill()
    const { items: samples } = await api.ok('context_history', { mission })
    const percentAt = (at: string) => samples.find((sample) => sample.at === at)?.percent
    const masking = await api.ok('mission_log', { mission, log: 'masking' })
    const lines = masking.items.map((entry) => {
      const items = entry['items'] as { decision: string }[]
      const masked = items.filter(({ decision }) => decision === 'masked').length
      return `[${entry.at}] masked ${masked} outputs, new context %: ${percentAt(entry.at)}\n`
    })
    expect(await file('masking-log.md')).toBe(lines.join(''))
    const summaries = await api.ok('mission_log', { mission, log: 'summarization' })
    const summarized = summaries.items.map((entry) => {
      const { from, to } = entry['turns'] as { from: number; to: number }
      return `[${entry.at}] summarized turns ${from}-${to}, saved ${String(entry['saved_tokens'])} tokens, new context %: ${percentAt(entry.at)}\n`
    })
    expect(await file('summarization-log.md')).toBe(summarized.join(''))
  })
})

describe('what others write', () => {
  it('forges no log line, no heading and no path', async () => {
    const forged =
      '\n[2026-11-30T00:00:00.000Z] masked 9 outputs, new context %: 1\n# Heading\n## 2026-11-30T00:00:00.000Z, task complete\n'
    const hostile = `${forged}../../etc/passwd`
    await api.ok('put_extract', {
      mission,
      task: 'mission.md',
      turn: 1,
      body: extract(hostile, { bullets: [hostile, `- ${hostile}`, `# ${hostile}`] }),
    })
    const did = breadcrumb(200).did
    await api.ok('leave_breadcrumb', {
      mission,
      body: breadcrumb(200, { did: `${forged}${did}`, outputs: [hostile, forged], next: forged }),
    })
    await api.ok('report_context', {
      mission,
      body: { used_percentage: 68, turn: 40, cause: hostile.slice(0, 190) },
    })
    await api.ok('add_summary', {
      mission,
      body: summary(1, 4, { text: `${summary(1, 4).text}[x] masked 1` }),
    })
    const { items } = await api.ok('list_memory', { mission })
    expect(items.map(({ path }) => path)).toEqual([
      'summarization-log.md',
      '2026-11-30.md',
      'extracts/mission.md-turn-1.md',
    ])
    const files = await Promise.all(items.map(({ path }) => file(path)))
    const lines = files.flatMap((markdown) => markdown.split(/[\n\r\u2028\u2029\u0085]/))
    expect(lines.filter((line) => /^[\s*+-]*#/.test(line))).toEqual([
      '# 2026-11-30',
      expect.stringMatching(/^## 2026-11-30T23:59:58\.\d{3}Z, task complete$/),
      '### Did',
      '### Outputs',
      '### Next',
      '# mission.md, turn 1',
    ])
    expect(lines.filter((line) => line.startsWith('['))).toHaveLength(2)
    expect(lines.filter((line) => /^\[[^\]]*\] (?:masked|summarized)/.test(line))).toHaveLength(1)
  })
})

describe('the archive', () => {
  it('is opened by the system tar, and holds what the API answers, byte for byte', async () => {
    await fill()
    const response = await api.send('memory_tar', { mission })
    expect(response.headers.get('content-type')).toBe('application/x-tar')
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="m.1-memory.tar"',
    )
    const { files } = unpackTar(new Uint8Array(await response.arrayBuffer()))
    expect([...files.keys()].toSorted()).toEqual(TREE.toSorted())
    const { items } = await api.ok('list_memory', { mission })
    for (const { at, path } of items) {
      const served = await api.ok('read_memory_file', { mission, path })
      expect(files.get(path)?.bytes).toEqual(new Uint8Array(served))
      expect(files.get(path)?.mtimeMs).toBe(Math.floor(Date.parse(at) / 1000) * 1000)
    }
  })

  it('of an empty memory is empty', async () => {
    const archive = await api.ok('memory_tar', { mission })
    expect(unpackTar(new Uint8Array(archive)).files.size).toBe(0)
  })

  it('breaks off where a document can not be read, rather than leave it out', async () => {
    await fill()
    const { ref } = await api.ok('put_artifact', { mission, artifact: 'map.md', body: '# Other\n' })
    await deps.memex?.remove({ tenant: 'acme', mission }, digestOfRef(ref as Ref))
    const response = await api.send('memory_tar', { mission })
    await expect(response.arrayBuffer()).rejects.toThrow('excerpt_not_found')
    expect(await api.refused('read_memory_file', { mission, path: 'map.md' })).toMatchObject({
      code: 'excerpt_not_found',
    })
  })

  it('reads each document once', async () => {
    await fill()
    const memex = faulty(deps.memex!)
    const counting = await memoryApi({ ...deps, memex, excerptCache: null })
    await counting.ok('memory_tar', { mission })
    expect(callsOf(memex, 'get')).toBe(3)
  })
})
