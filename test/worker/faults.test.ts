import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { digestOfRef, sha256 } from '../../src/domain/digest.ts'
import type { Ref } from '../../src/domain/digest.ts'
import { eventually } from '../support/eventually.ts'
import { faceOf } from '../support/face.ts'
import { after, always, before, inTurn } from '../support/faults.ts'
import type { Plan } from '../support/faults.ts'
import { missionBench } from '../support/mission-bench.ts'
import { anthropicSession } from '../support/session.ts'

const session = anthropicSession(8)
const policy = { trigger: { type: 'always' } } as const
const body = { request: session, policy }
type Failing = typeof before
// R2's error 10001 is temporary and tried again; 10012 is final.
const passing = (when: Failing) => when('put: We encountered an internal error. (10001)')
const lasting = (when: Failing) => when('put: The metadata is too large. (10012)')

describe('R2 fails while masking', () => {
  const refsIn = (request: unknown): Ref[] =>
    [...JSON.stringify(request).matchAll(/memex:\/\/excerpt\/[0-9a-f]{64}/g)].map(
      ([ref]) => ref as Ref,
    )

  test('nothing is replaced when R2 fails for good, and the answer and the log say why', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api, reports } = await faceOf(bench, always('put', lasting(before)))
    const answer = await api.ok('mask', { mission, body })
    expect(reports).toHaveLength(answer.decisions.length - 3)
    expect(reports[0]).toEqual({
      level: 'error',
      event: 'store_failed',
      error: 'Error: put: The metadata is too large. (10012)',
      ...bench.owner,
    })
    expect(answer).toMatchObject({ masked: 0, first_changed_pointer: null, storage: 'memex' })
    expect(answer.request).toEqual(session)
    const reasons = answer.decisions.slice(0, -3).map(({ decision }) => decision)
    expect(new Set(reasons)).toEqual(new Set(['store_failed']))
    expect(answer.log_entry).toMatchObject({ masked: 0 })
    expect(answer.log_entry?.items.every(({ ref }) => ref === null)).toBe(true)
    expect(await bench.inR2()).toEqual([])
    expect((await api.ok('mission_log', { mission, log: 'masking' })).items).toEqual([
      answer.log_entry,
    ])
  })

  test('every result is masked when R2 fails for a while', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const faults = [passing(before), passing(after), undefined, passing(after), passing(before)]
    const { api } = await faceOf(bench, inTurn('put', ...faults))
    const answer = await api.ok('mask', { mission, body })
    expect(answer.masked).toBe(answer.decisions.length - 3)
    const { request } = await api.ok('unmask', { mission, body: { request: answer.request } })
    expect(request).toEqual(session)
  })

  test('no ref is answered when R2 fails after it stored, and a later mask masks every result', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api } = await faceOf(bench, always('put', lasting(after)))
    const answer = await api.ok('mask', { mission, body })
    expect(refsIn(answer.request)).toEqual([])
    expect((await bench.inR2()).length).toBeGreaterThan(0)
    const repaired = await faceOf(bench)
    const again = await repaired.api.ok('mask', { mission, body })
    expect(again.masked).toBe(again.decisions.length - 3)
  })

  test('the placeholders of a policy that wants them without storage name no ref', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api } = await faceOf(bench, always('put', lasting(before)))
    const answer = await api.ok('mask', {
      mission,
      body: { request: session, policy: { ...policy, unstorable: 'placeholder' } },
    })
    expect(answer.masked).toBe(answer.decisions.length - 3)
    expect(refsIn(answer.request)).toEqual([])
    expect(JSON.stringify(answer.request)).toContain('[masked: read_file result]')
  })

  test('every ref resolves and every masked result is restored, however the puts fail', async () => {
    const fault = fc.constantFrom('fine', 'before', 'after', 'before for good', 'after for good')
    const named: Record<string, ReturnType<typeof before>> = {
      before: passing(before),
      after: passing(after),
      'before for good': lasting(before),
      'after for good': lasting(after),
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 12 }), async (faults) => {
        const bench = missionBench()
        const { mission } = bench.owner
        const plan: Plan = (method, call) =>
          method === 'put' ? named[faults[(call - 1) % faults.length] ?? ''] : undefined
        const { api } = await faceOf(bench, plan)
        const answer = await api.ok('mask', { mission, body })
        const refs = refsIn(answer.request)
        expect(refs).toHaveLength(answer.masked)
        for (const ref of refs) {
          const sent = { mission, sha256: digestOfRef(ref) }
          expect(await sha256(await api.ok('read_excerpt', sent))).toBe(sent.sha256)
        }
        const back = await api.ok('unmask', { mission, body: { request: answer.request } })
        expect(back.request).toEqual(session)
      }),
      { numRuns: 25 },
    )
  })

  test('unmask is answered with 503 and pins nothing when R2 can not be read', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { request } = await (await faceOf(bench)).api.ok('mask', { mission, body })
    const { api } = await faceOf(bench, always('get', lasting(before)))
    const refused = await api.refused('unmask', { mission, body: { request, pin: true } })
    expect(refused).toMatchObject({ code: 'temporarily_unavailable', retryable: true })
    const view = await bench.missions.read(bench.owner)
    expect(view?.state.masking.pinned).toEqual([])
  })

  test('a result whose excerpt is lost or altered stays masked and is named', async () => {
    const bench = missionBench()
    const { mission, tenant } = bench.owner
    const { api, bucket } = await faceOf(bench)
    const { request, decisions } = await api.ok('mask', { mission, body })
    const [lost, altered] = decisions.slice(0, 2).map(({ ref }) => digestOfRef(ref as Ref))
    await bucket.delete(`${tenant}/${mission}/${lost}`)
    await bucket.put(`${tenant}/${mission}/${altered}`, 'something else')
    const back = await api.ok('unmask', { mission, body: { request } })
    expect(back.restored).toBe(decisions.length - 3 - 2)
    expect(back.not_restored).toEqual([
      { pointer: decisions[0]?.pointer, reason: 'excerpt_missing' },
      { pointer: decisions[1]?.pointer, reason: 'excerpt_corrupt' },
    ])
  })
})

describe('D1 fails', () => {
  test('mask succeeds when D1 fails, and D1 gets the row once, later', async () => {
    for (const when of [before, after]) {
      const bench = missionBench()
      const { mission } = bench.owner
      bench.breakLogs(always('write', when('D1_ERROR: D1 DB is overloaded.')))
      const { api } = await faceOf(bench)
      const { log_entry, masked } = await api.ok('mask', { mission, body })
      expect(masked).toBeGreaterThan(0)
      expect((await api.ok('mission_log', { mission, log: 'masking' })).items).toEqual([log_entry])

      bench.breakLogs(() => undefined)
      await eventually(async () => {
        bench.wait(60_000)
        await bench.ring()
        expect(await bench.inD1('missions')).toHaveLength(1)
      })
      expect((await api.ok('masking_log')).items).toEqual([{ mission, ...log_entry }])
    }
  })

  test('lists across missions are answered with 503 when D1 fails, and the mission still answers', async () => {
    const bench = missionBench()
    const { mission } = bench.owner
    const { api } = await faceOf(bench, undefined, {
      logs: bench.breakLogs((method) =>
        method === 'write' ? undefined : before('D1_ERROR: D1 DB is overloaded.'),
      ),
    })
    await api.ok('put_mission', { mission, body: {} })
    for (const name of ['masking_log', 'list_missions'] as const)
      expect(await api.refused(name)).toMatchObject({ code: 'temporarily_unavailable' })
    expect((await api.ok('mission_log', { mission, log: 'masking' })).items).toEqual([])
  })
})
