import { evictDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import type { Watcher } from '../../../src/ports.ts'
import { eventually } from '../../support/eventually.ts'
import { createMemoryRevocations } from '../../support/memory-ports.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { erased, NOW, reported } from '../../support/occurrences.ts'

type Bench = ReturnType<typeof missionBench>

/** An open socket of a mission, with what it heard and how it ended. */
async function watch(bench: Bench, rest: Partial<Watcher> = {}) {
  const response = await bench.missions.watch(bench.owner, {
    tenant: bench.owner.tenant,
    jtis: ['jti-of-the-reader'],
    exp: NOW / 1000 + 3600,
    after: null,
    protocol: null,
    ...rest,
  })
  expect(response.status).toBe(101)
  const socket = response.webSocket
  if (socket === null) return expect.fail('no socket')
  const heard: { id: string; type: string }[] = []
  const closed: { code: number; reason: string }[] = []
  const texts: string[] = []
  socket.addEventListener('message', ({ data }) => {
    texts.push(String(data))
    if (String(data).startsWith('{'))
      heard.push(JSON.parse(String(data)) as { id: string; type: string })
  })
  socket.addEventListener('close', ({ code, reason }) => closed.push({ code, reason }))
  socket.accept()
  return { response, socket, heard, texts, closed, types: () => heard.map(({ type }) => type) }
}

const quiet = (): Bench => {
  const bench = missionBench()
  bench.unbindLogs()
  return bench
}

const report = async (bench: Bench, percent: number): Promise<void> => {
  expect(await bench.missions.apply(reported(bench.owner, percent, bench.now()))).toMatchObject({
    ok: true,
  })
}

describe('a socket on the events of a mission', () => {
  test('hears what happens from now on, in order', async () => {
    const bench = quiet()
    await report(bench, 10)
    const reader = await watch(bench, { protocol: 'foldex.v1' })
    expect(reader.response.headers.get('sec-websocket-protocol')).toBe('foldex.v1')
    for (const percent of [61, 71, 20]) await report(bench, percent)
    await eventually(() => expect(reader.heard).toHaveLength(6))
    expect(reader.types()).toEqual(Array(3).fill(['context.sampled', 'zone.changed']).flat())
    expect(reader.heard.map(({ id }) => id)).toEqual(['2-0', '2-1', '3-0', '3-1', '4-0', '4-1'])
  })

  test('resumes from an event without a gap or a repetition', async () => {
    const bench = quiet()
    for (let n = 1; n <= 3; n++) await report(bench, n)
    const [first] = (await bench.missions.page(bench.owner, 'event', { limit: 1 })).items
    const reader = await watch(bench, { after: first?.seq ?? 0 })
    for (let n = 4; n <= 5; n++) await report(bench, n)
    await eventually(() => expect(reader.heard).toHaveLength(4))
    expect(reader.heard.map(({ id }) => id)).toEqual(['2-0', '3-0', '4-0', '5-0'])
  })

  test('hears nothing twice and all in order when it opens while others are being told', async () => {
    const bench = quiet()
    const { promise, resolve } = Promise.withResolvers<void>()
    bench.revokeBy({
      revoke: () => Promise.resolve(),
      anyRevoked: async () => {
        await promise
        return false
      },
    })
    await report(bench, 1)
    const early = await watch(bench)
    for (const percent of [2, 3]) await report(bench, percent)
    const resumed = await watch(bench, { after: 0 })
    const fresh = await watch(bench)
    await report(bench, 4)
    resolve()
    await eventually(() => expect(fresh.heard).toHaveLength(1))
    await eventually(() => expect(early.heard).toHaveLength(3))
    expect(early.heard.map(({ id }) => id)).toEqual(['2-0', '3-0', '4-0'])
    expect(resumed.heard.map(({ id }) => id)).toEqual(['1-0', '2-0', '3-0', '4-0'])
    expect(fresh.heard.map(({ id }) => id)).toEqual(['4-0'])
  })

  test('gets a backlog of more than a page', async () => {
    const bench = quiet()
    for (let n = 0; n < 520; n++) await report(bench, 1)
    const reader = await watch(bench, { after: 0 })
    await eventually(() => expect(reader.heard).toHaveLength(520))
    expect(new Set(reader.heard.map(({ id }) => id)).size).toBe(520)
  })

  test('stays open while the object sleeps, and pings do not wake it', async () => {
    const bench = quiet()
    await report(bench, 1)
    const reader = await watch(bench)
    await evictDurableObject(bench.stub())
    reader.socket.send('ping')
    await eventually(() => expect(reader.texts).toEqual(['pong']))
    await report(bench, 61)
    await eventually(() => expect(reader.types()).toEqual(['context.sampled', 'zone.changed']))
    expect(reader.closed).toEqual([])
  })

  test('ends with its token', async () => {
    const bench = quiet()
    await report(bench, 1)
    const reader = await watch(bench, { exp: NOW / 1000 + 10 })
    bench.wait(10_000)
    await report(bench, 61)
    await eventually(() => expect(reader.closed).toMatchObject([{ code: 1008 }]))
    expect(reader.heard).toEqual([])
  })

  test('ends when its token or an ancestor of it is revoked', async () => {
    const bench = quiet()
    const revocations = createMemoryRevocations()
    bench.revokeBy(revocations)
    await report(bench, 1)
    const [child, other] = [
      await watch(bench, { jtis: ['child-of-it', 'ancestor'] }),
      await watch(bench, { jtis: ['other-reader'] }),
    ]
    await report(bench, 2)
    await eventually(() => expect(child.heard).toHaveLength(1))
    await revocations.revoke(bench.owner.tenant, 'ancestor', 9e9)
    await report(bench, 3)
    await eventually(() => expect(child.closed).toHaveLength(1))
    await eventually(() => expect(other.heard).toHaveLength(2))
    expect(child.heard).toHaveLength(1)
  })

  test('that can’t be checked ends with 1013, and the others hear on', async () => {
    const bench = quiet()
    bench.revokeBy({
      revoke: () => Promise.resolve(),
      anyRevoked: (_tenant, [jti]) =>
        jti === 'unlucky' ? Promise.reject(new Error('R2 (10001)')) : Promise.resolve(false),
    })
    await report(bench, 1)
    const [unlucky, other] = [
      await watch(bench, { jtis: ['unlucky'] }),
      await watch(bench, { jtis: ['other-reader'] }),
    ]
    await report(bench, 2)
    await eventually(() => expect(unlucky.closed).toMatchObject([{ code: 1013 }]))
    await report(bench, 3)
    await eventually(() => expect(other.heard).toHaveLength(2))
    expect(unlucky.heard).toEqual([])
  })

  test('ends when the mission is erased', async () => {
    const bench = quiet()
    bench.unbindMemex()
    await report(bench, 1)
    const reader = await watch(bench)
    await bench.missions.apply(erased(bench.owner))
    await eventually(() =>
      expect(reader.closed).toEqual([{ code: 1000, reason: 'mission erased' }]),
    )
  })
})
