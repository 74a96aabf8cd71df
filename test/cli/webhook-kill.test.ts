import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signToken } from '../../src/cli/sign.ts'
import type { Output } from '../../src/client/operation.ts'
import { signingKeys } from '../../src/domain/access/signing-keys.ts'
import { createApi } from '../support/api.ts'
import type { Api } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { bundle, startKillable } from '../support/killable-worker.ts'
import { startReceiver } from '../support/receiver.ts'
import { SECRET, signedWebhook } from '../support/signed-webhook.ts'

const KILLS = 50
const SENT_A_LIFE = 24
const MISSIONS = ['k-1', 'k-2', 'k-3']
const KEYS = JSON.stringify([{ kid: 'k', secret: 'A'.repeat(43) }])

const folder = mkdtempSync(join(tmpdir(), 'foldex-webhook-kill-'))
let script: string
let token: string
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  script = await bundle(join(folder, 'bundle'))
  const request = { scope: ['admin'], expires_in_s: 3600 } as const
  const now = Math.floor(Date.now() / 1000)
  token = (await signToken(signingKeys.parse(JSON.parse(KEYS)), 'acme', request, now)).token
  // The first delivery of every fourth message fails, and the alarm of the object delivers it again.
  const seen = new Set<string>()
  receiver = await startReceiver(({ headers }) => {
    const id = String(headers['webhook-id'])
    const first = !seen.has(id)
    seen.add(id)
    return first && seen.size % 4 === 0 ? 500 : 200
  })
})

afterAll(async () => {
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

const start = () =>
  startKillable(script, join(folder, 'state'), KEYS, {
    ENDPOINTS: JSON.stringify([
      { id: 'platform', direction: 'inbound', tenant: 'acme', secrets: [SECRET] },
      { id: 'alerts', direction: 'outbound', tenant: 'acme', secrets: [SECRET], url: receiver.url },
    ]),
  })

/** A webhook with an effect that can be counted: its own percentage, now below, now above 60. */
interface Sent {
  readonly id: string
  readonly mission: string
  readonly used_percentage: number
}

const webhook = (life: number, n: number): Sent => {
  const serial = life * SENT_A_LIFE + n
  const mission = MISSIONS[serial % MISSIONS.length] ?? ''
  // Two decimals are what the meter keeps: each serial has a percentage of its own.
  const hundredths = (n % 2 === 0 ? 1000 : 6100) + serial
  return { id: `msg_${serial}`, mission, used_percentage: hundredths / 100 }
}

async function deliver(api: Api, { id, mission, used_percentage }: Sent): Promise<Response> {
  const event = { type: 'context.reported', data: { mission, used_percentage } }
  const signed = await signedWebhook(event, { id, now: Date.now() })
  return await api.send('receive_webhook', { endpoint: 'platform', token: null, ...signed })
}

test(`${KILLS} kills while webhooks arrive double none and drop none`, async () => {
  const all: Sent[] = []
  let acknowledged = 0
  let cut = 0
  for (let life = 0; life < KILLS; life++) {
    const sent = Array.from({ length: SENT_A_LIFE }, (_, n) => webhook(life, n))
    all.push(...sent)
    const worker = await start()
    // Each life is killed after another number of answers, with all other requests under way.
    let left = 1 + (life % (SENT_A_LIFE / 2))
    let killed: Promise<void> | undefined
    const api = createApi(async (request) => {
      const response = await worker.fetch(request)
      if (response.ok && --left === 0) killed = worker.kill()
      return response
    })
    const outcomes = await Promise.allSettled(sent.map((one) => deliver(api, one)))
    await killed
    acknowledged += outcomes.filter(({ status }) => status === 'fulfilled').length
    cut += outcomes.filter(({ status }) => status === 'rejected').length
  }
  expect(cut).toBeGreaterThanOrEqual(KILLS)

  const worker = await start()
  const api = createApi(worker.fetch, token)
  // All senders send again, whether they got an answer or not.
  let replayed = 0
  for (const one of all) {
    const response = await deliver(api, one)
    expect(response.status).toBe(200)
    replayed += response.headers.get('idempotent-replayed') === 'true' ? 1 : 0
  }
  let doubled = 0
  let dropped = 0
  for (const mission of MISSIONS) {
    const expected = all.filter((one) => one.mission === mission).map((one) => one.used_percentage)
    const counted = (await samplesOf(api, mission)).map(({ percent }) => percent)
    doubled += counted.length - new Set(counted).size
    dropped += expected.filter((percent) => !counted.includes(percent)).length
  }
  console.log(
    `${KILLS} kills, ${all.length} webhooks: ${acknowledged} answered, ${cut} cut off, ` +
      `${replayed} replayed, ${doubled} doubled, ${dropped} dropped`,
  )
  expect({ doubled, dropped }).toEqual({ doubled: 0, dropped: 0 })
  // A request that was cut off may have had its effect too: then its repetition is a replay.
  expect(replayed).toBeGreaterThanOrEqual(acknowledged)

  await eventually(async () => expect(await undelivered(api)).toBe(0))
  const told = await Promise.all(MISSIONS.map((mission) => zoneChanges(api, mission)))
  const received = new Set(receiver.got.map(({ headers }) => String(headers['webhook-id'])))
  expect(received).toEqual(new Set(told.flat()))
  for (const { body, headers } of receiver.got.slice(-10)) {
    const flat = Object.fromEntries(
      Object.entries(headers).map(([name, one]) => [name, String(one)]),
    )
    expect(new Webhook(SECRET).verify(body, flat)).toMatchObject({ type: 'zone.changed' })
  }
  await worker.kill()
})

async function samplesOf(api: Api, mission: string) {
  const items: Output<'context_history'>['items'] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = cursor === '' ? { limit: 1000 } : { limit: 1000, cursor }
    const page: Output<'context_history'> = await api.ok('context_history', { mission, query })
    items.push(...page.items)
    cursor = page.next_cursor
  }
  return items
}

async function undelivered(api: Api): Promise<number> {
  const pages = await Promise.all(
    MISSIONS.map((mission) =>
      api.ok('list_deliveries', { mission, query: { state: 'pending', limit: 1000 } }),
    ),
  )
  return pages.flatMap(({ items }) => items).length
}

/** The message ids of the events that had to go out. */
async function zoneChanges(api: Api, mission: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | undefined = undefined; ;) {
    const query: Record<string, string | number> = {
      limit: 1000,
      ...(after === undefined ? {} : { after }),
    }
    const { items, next_cursor }: Output<'list_events'> = await api.ok('list_events', {
      mission,
      query,
    })
    for (const { id, type } of items) if (type === 'zone.changed') ids.push(`${mission}_${id}`)
    after = items.at(-1)?.id
    if (next_cursor === null) return ids
  }
}
