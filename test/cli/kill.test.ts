import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken } from '../../src/cli/sign.ts'
import type { Output } from '../../src/client/operation.ts'
import { signingKeys } from '../../src/domain/access/signing-keys.ts'
import { utf8 } from '../../src/domain/bytes.ts'
import { sha256 } from '../../src/domain/digest.ts'
import { createApi } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { bundle, startKillable } from '../support/killable-worker.ts'

const KILLS = 20
const ACKNOWLEDGED_A_LIFE = 105
const WRITERS = 12
const MISSIONS = ['m-1', 'm-2', 'm-3', 'm-4']
const KEYS = JSON.stringify([{ kid: 'k', secret: 'A'.repeat(43) }])

const folder = mkdtempSync(join(tmpdir(), 'foldex-kill-'))
let script: string
let token: string

beforeAll(async () => {
  script = await bundle(join(folder, 'bundle'))
  const request = { scope: ['admin'], expires_in_s: 3600 } as const
  const now = Math.floor(Date.now() / 1000)
  token = (await signToken(signingKeys.parse(JSON.parse(KEYS)), 'acme', request, now)).token
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const start = () => startKillable(script, join(folder, 'state'), KEYS)

/** What was answered with success, by mission. */
const excerpts = new Map<string, Map<string, string>>()
const causes = new Map<string, string[]>()
const runs = new Map<string, Map<string, Output<'mask'>>>()
let acknowledged = 0

test(`${KILLS} kills with writes in flight lose nothing that was acknowledged`, async () => {
  let cut = 0
  for (let life = 0; life < KILLS; life++) cut += await liveAndDie(life)
  const worker = await start()
  const api = createApi(worker.fetch, token)
  let found = 0
  for (const mission of MISSIONS) {
    found += await expectExcerpts(api, mission)
    found += await expectSamples(api, mission)
    found += await expectRuns(api, mission)
  }
  await eventually(() => expectRunsAcross(api))
  await worker.kill()
  console.log(
    `${KILLS} kills, ${acknowledged} writes acknowledged, ${acknowledged - found} lost, ${cut} cut off`,
  )
  expect(acknowledged).toBeGreaterThanOrEqual(2_000)
  expect(found).toBe(acknowledged)
  // Kills prove something only while writes are in flight.
  expect(cut).toBeGreaterThan(0)
})

/**
 * One life of the Worker: writers write until enough is acknowledged, then it is killed in the moment
 * that the head of the last answer is here. Gives how many writes were cut off.
 */
async function liveAndDie(life: number): Promise<number> {
  const worker = await start()
  let left = ACKNOWLEDGED_A_LIFE
  let killed: Promise<void> | undefined
  const api = createApi(async (request) => {
    const response = await worker.fetch(request)
    if (response.ok && --left === 0) killed = worker.kill()
    return response
  }, token)
  let cut = 0
  const write = async (writer: number): Promise<void> => {
    for (let n = 0; killed === undefined; n++) {
      try {
        await writeOne(api, `${life}-${writer}-${n}`, (writer + n) % 3)
        acknowledged += 1
      } catch (error) {
        if (killed === undefined) throw error
        cut += 1
      }
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  await killed
  return cut
}

/** One write with its own words; noted once it was answered. */
async function writeOne(api: Api, name: string, kind: number): Promise<void> {
  const mission = MISSIONS[Number(name.split('-')[1]) % MISSIONS.length] ?? ''
  if (kind === 0) {
    const text = `excerpt ${name} ${'x'.repeat(name.length * 100)}`
    const written = await api.ok('write_excerpt', { mission, body: utf8(text) })
    expect(written.created).toBe(true)
    of(excerpts, mission, () => new Map<string, string>()).set(written.ref, text)
  } else if (kind === 1) {
    await api.ok('report_context', { mission, body: { used_percentage: 40, cause: name } })
    of(causes, mission, () => [] as string[]).push(name)
  } else {
    const policy = { trigger: { type: 'always' }, keep: 0 }
    const body = { request: requestOf(name), policy, window_tokens: 100_000 }
    const answer = await api.ok('mask', { mission, body })
    expect(answer.masked).toBe(2)
    of(runs, mission, () => new Map<string, Output<'mask'>>()).set(
      answer.log_entry?.id ?? '',
      answer,
    )
  }
}

const requestOf = (name: string) => {
  const turns = [1, 2].flatMap((n) => {
    const id = `call_${name}_${n}`
    const call = { id, type: 'function', function: { name: 'grep', arguments: '{}' } }
    const words = Array.from({ length: 80 }, (_, i) => `${name} line ${i * n}`)
    return [
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: id, content: words.join('\n') },
    ]
  })
  return { messages: [...turns, { role: 'assistant', content: 'Both are read.' }] }
}

async function expectExcerpts(api: Api, mission: string): Promise<number> {
  const written = [...(excerpts.get(mission) ?? [])]
  for (const some of chunks(written)) {
    const refs = some.map(([ref]) => ref)
    const read = await api.ok('read_excerpts', { mission, body: { refs } })
    expect(read.missing).toEqual([])
    expect(read.items.map((item) => [item.ref, item.text])).toEqual(some)
  }
  return written.length
}

async function expectSamples(api: Api, mission: string): Promise<number> {
  const reported = causes.get(mission) ?? []
  const samples = await all((query) => api.ok('context_history', { mission, query }))
  const seen = samples.map((sample) => sample.cause).filter((cause) => cause !== 'mask')
  expect(new Set(seen).size).toBe(seen.length)
  expect(reported.filter((cause) => !seen.includes(cause))).toEqual([])
  return reported.length
}

async function expectRuns(api: Api, mission: string): Promise<number> {
  const answered = runs.get(mission) ?? new Map<string, Output<'mask'>>()
  const logged = await all((query) => api.ok('mission_log', { mission, log: 'masking', query }))
  const entries = new Map(logged.map((entry) => [entry['id'], entry]))
  for (const [id, answer] of answered) expect(entries.get(id)).toEqual(answer.log_entry)
  // What was logged without an answer is whole as well, and no ref leads nowhere.
  const refs = [...entries.values()].flatMap((entry) =>
    (entry['items'] as { ref: string }[]).map((item) => item.ref),
  )
  expect(refs).toHaveLength(entries.size * 2)
  for (const some of chunks(refs)) {
    const read = await api.ok('read_excerpts', { mission, body: { refs: some } })
    expect(read.missing).toEqual([])
    for (const item of read.items) expect(item.ref).toContain(await sha256(utf8(item.text ?? '')))
  }
  return answered.size
}

/** D1 has caught up with all of it, through the outboxes that the kills interrupted. */
async function expectRunsAcross(api: Api): Promise<void> {
  const listed = await all((query) => api.ok('masking_log', { query }))
  const across = new Map(listed.map((run) => [run.id, run]))
  expect(across.size).toBe(listed.length)
  for (const [mission, answered] of runs)
    for (const [id, answer] of answered)
      expect(across.get(id)).toEqual({ ...answer.log_entry, mission })
}

type Query = Record<string, string | number>

async function all<T>(
  list: (query: Query) => Promise<{ readonly items: readonly T[]; next_cursor: string | null }>,
): Promise<readonly T[]> {
  const items: T[] = []
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({
      limit: 500,
      ...(cursor === null ? {} : { cursor }),
    })
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

function* chunks<T>(list: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += 100) yield list.slice(from, from + 100)
}

function of<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
