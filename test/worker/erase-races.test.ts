import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { faceOf } from '../support/face.ts'
import { before, callsOf } from '../support/faults.ts'
import type { Plan } from '../support/faults.ts'
import { missionBench } from '../support/mission-bench.ts'
import { anthropicSession } from '../support/session.ts'

const session = anthropicSession(6)
const policy = { trigger: { type: 'always' } } as const
const MINUTES = 60_000
const subagentHook = JSON.stringify({
  hook_event_name: 'PostToolUse',
  agent_id: 'sub-1',
  tool_name: 'Bash',
  tool_use_id: 'toolu_1',
  tool_response: { stdout: '9 refunds paid\n'.repeat(6000), stderr: '' },
})
const fine: Plan = () => undefined

/** A gate that the puts of R2 wait at, from the first one on. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const plan: Plan = (method) => (method === 'put' ? { when: 'waiting', on: promise } : undefined)
  return { plan, open: resolve }
}

/** Rings the alarm until the mission has nothing left to do, and expects nothing in any store. */
async function expectErased(bench: ReturnType<typeof missionBench>): Promise<void> {
  for (let rings = 0; (await bench.alarmAt()) !== null; rings++) {
    expect(rings).toBeLessThan(20)
    bench.wait(6 * MINUTES)
    await bench.ring()
  }
  expect(await bench.inR2()).toEqual([])
  for (const table of ['missions', 'masking', 'masking_items'])
    expect(await bench.inD1(table)).toEqual([])
  expect(await bench.sql('SELECT * FROM records')).toEqual([])
}

describe('a mission that is erased', () => {
  test.each([
    ['mask', { body: { request: session, policy } }],
    ['write_excerpt', { body: 'late' }],
    ['observe', { body: { call_id: 'c', tool: 'read', turn: 1, output: 'line '.repeat(900) } }],
  ] as const)(
    '%s is refused when the mission is erased while it stores, and nothing survives',
    async (name, sent) => {
      const bench = missionBench()
      const { mission } = bench.owner
      const { plan, open } = gate()
      const slow = await faceOf(bench, plan)
      await slow.api.ok('put_mission', { mission, body: { objective: 'Go.' } })
      const late = slow.api.refused(name, { mission, ...sent })
      await eventually(() => expect(callsOf(slow.bucket, 'put')).toBeGreaterThan(0))
      await (await faceOf(bench)).api.ok('delete_mission', { mission })
      open()
      expect(await late).toMatchObject({ status: 409, code: 'mission_erased' })
      expect(await bench.inR2()).toEqual([])
      await expectErased(bench)
    },
  )

  test('the output of a subagent is ignored when the mission is erased while it is stored, and nothing survives', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { plan, open } = gate()
    const slow = await faceOf(bench, plan)
    await slow.api.ok('put_mission', { mission, body: {} })
    const late = slow.api.send('receive_claude_code_hook', { mission, body: subagentHook })
    await eventually(() => expect(callsOf(slow.bucket, 'put')).toBeGreaterThan(0))
    await (await faceOf(bench)).api.ok('delete_mission', { mission })
    open()
    expect((await late).status).toBe(204)
    expect(await bench.inR2()).toEqual([])
    await expectErased(bench)
  })

  test('the second sweep removes what a late mask stored and could not remove', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { plan, open } = gate()
    const away = before('delete: The metadata is too large. (10012)')
    const slow = await faceOf(bench, (method, call) =>
      method === 'delete' ? away : plan(method, call),
    )
    await slow.api.ok('put_mission', { mission, body: {} })
    const late = slow.api.refused('mask', { mission, body: { request: session, policy } })
    await eventually(() => expect(callsOf(slow.bucket, 'put')).toBeGreaterThan(0))
    await (await faceOf(bench)).api.ok('delete_mission', { mission })
    await bench.ring()
    open()
    await late
    expect((await bench.inR2()).length).toBeGreaterThan(0)
    await expectErased(bench)
  })

  test('what a mask stored is erased with its mission, and a later mask or unmask is refused', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api } = await faceOf(bench, fine)
    const { request } = await api.ok('mask', { mission, body: { request: session, policy } })
    await api.ok('delete_mission', { mission })
    for (const name of ['mask', 'unmask'] as const)
      expect(await api.refused(name, { mission, body: { request } })).toMatchObject({
        code: 'mission_erased',
      })
    await expectErased(bench)
    expect(JSON.stringify(await bench.sql('SELECT * FROM mission_state'))).not.toContain('claude')
  })

  test('erasing a mission several times, also at once, erases it once', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api } = await faceOf(bench)
    await api.ok('put_mission', { mission, body: {} })
    await Promise.all([1, 2, 3].map(() => api.ok('delete_mission', { mission })))
    await expectErased(bench)
    await api.ok('delete_mission', { mission })
    expect(await api.refused('put_mission', { mission, body: {} })).toMatchObject({
      code: 'mission_erased',
    })
  })
})

describe('a write that dies before it reaches the mission', () => {
  const lost = { apply: () => Promise.reject(new Error('Network connection lost.')) }

  test('the next DELETE removes bytes that such a write left in an erased mission', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api } = await faceOf(bench)
    await api.ok('put_mission', { mission, body: {} })
    await api.ok('delete_mission', { mission })
    await expectErased(bench)
    const dying = await faceOf(bench, fine, { missions: { ...bench.missions, ...lost } })
    await dying.api.refused('write_excerpt', { mission, body: 'late' })
    expect(await bench.inR2()).toHaveLength(1)
    await api.ok('delete_mission', { mission })
    await expectErased(bench)
  })

  test('DELETE removes bytes that such a write left where no mission is', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const dying = await faceOf(bench, fine, { missions: { ...bench.missions, ...lost } })
    await dying.api.refused('write_excerpt', { mission, body: 'early' })
    const { api } = await faceOf(bench)
    await api.ok('delete_mission', { mission })
    await expectErased(bench)
    expect(await api.refused('get_mission', { mission })).toMatchObject({ status: 404 })
  })
})

describe('a mission that can not be reached', () => {
  test('a mask whose excerpts are stored is answered with 503, and is done when it comes again', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { missions } = bench
    const { api } = await faceOf(bench, fine, {
      missions: { ...missions, apply: () => Promise.reject(new Error('Network connection lost.')) },
    })
    const sent = { mission, body: { request: session, policy } }
    expect(await api.refused('mask', sent)).toMatchObject({ code: 'temporarily_unavailable' })
    expect((await bench.inR2()).length).toBeGreaterThan(0)
    const again = await (await faceOf(bench)).api.ok('mask', sent)
    expect(again.masked).toBe(again.decisions.length - 3)
  })
})
