import { abortAllDurableObjects, env, evictDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { createMissions } from '../../../src/adapters/mission/missions.ts'
import { freshOwner } from '../../support/fresh.ts'
import { missionBench } from '../../support/mission-bench.ts'
import { missionsContract } from '../../support/missions-contract.ts'
import { configured, masked, reported } from '../../support/occurrences.ts'

const missions = createMissions(env.TEST_MISSIONS)

missionsContract('the Durable Object', () => missions)

describe('a mission', () => {
  test('is the same after its object was evicted', async () => {
    const { owner, stub } = missionBench()
    await missions.apply(masked(owner, 'run-1'))
    const lookups = [{ kind: 'masking', keys: ['run-1'] }] as const
    const before = await missions.read(owner, lookups)
    await evictDurableObject(stub())
    expect(await missions.read(owner, lookups)).toEqual(before)
    expect(before?.found).toHaveLength(1)
  })

  test('is the same after its object was aborted, and its events go on', async () => {
    const { owner } = missionBench()
    for (let n = 0; n < 5; n++) await missions.apply(reported(owner, n))
    await abortAllDurableObjects()
    expect((await missions.read(owner))?.state.version).toBe(5)
    await missions.apply(reported(owner, 5))
    expect((await missions.page(owner, 'sample', { limit: 10 })).items).toHaveLength(6)
  })

  test('leaves no trace of being looked at', async () => {
    const { owner, sql } = missionBench()
    await missions.read(owner)
    await missions.page(owner, 'sample', { limit: 1 })
    expect(
      await sql(`SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`),
    ).toEqual([])
  })

  test('that cannot hold a record refuses the event and stays as it was', async () => {
    const { owner, sql } = missionBench()
    await missions.apply(reported(owner, 1))
    const before = await sql('SELECT * FROM records')
    const tooLarge = missions.apply(masked(owner, 'run-big', 70_000))
    await expect(tooLarge).rejects.toThrow(/the record masking run-big has \d{8} bytes/)
    expect((await missions.read(owner))?.state.version).toBe(1)
    expect(await sql('SELECT * FROM records')).toEqual(before)
    await missions.apply(reported(owner, 2))
    expect((await missions.read(owner))?.state.version).toBe(2)
  })

  test('that refuses its very first event is not there', async () => {
    const owner = freshOwner()
    await expect(missions.apply(masked(owner, 'run-big', 70_000))).rejects.toThrow('run-big')
    expect(await missions.read(owner)).toBeNull()
    await missions.apply(configured(owner))
    expect((await missions.read(owner))?.state.version).toBe(1)
  })

  test('holds a record that is larger than a row of SQLite, until it is replaced', async () => {
    const { owner, sql } = missionBench()
    const big = masked(owner, 'run-1', 9_000, '🧪é')
    await missions.apply(big)
    await missions.apply(masked(owner, 'run-2'))
    const lookups = [{ kind: 'masking', keys: ['run-1', 'run-2'] }] as const
    const found = (await missions.read(owner, lookups))?.found ?? []
    expect(found.map((r) => r.key)).toEqual(['run-1', 'run-2'])
    expect(found[0]?.body).toMatchObject({ items: big.event.type === 'masked' && big.event.items })
    expect((await missions.page(owner, 'masking', { limit: 5 })).items).toEqual(found)
    expect(await sql('SELECT part FROM record_parts')).not.toEqual([])
    await missions.apply(masked(owner, 'run-1', 2))
    expect((await missions.read(owner, lookups))?.found[0]?.body).toMatchObject({ masked: 2 })
    expect(await sql('SELECT part FROM record_parts')).toEqual([])
  })

  test('from before a table was thought of gets it when its object wakes', async () => {
    const { owner, sql, stub } = missionBench()
    await missions.apply(reported(owner, 1))
    await sql('DROP TABLE record_parts')
    await sql('UPDATE tables SET version = 1')
    await evictDurableObject(stub())
    expect((await missions.page(owner, 'sample', { limit: 5 })).items).toHaveLength(1)
    await missions.apply(reported(owner, 2))
    expect((await missions.page(owner, 'sample', { limit: 5 })).items).toHaveLength(2)
  })

  test('applies a call that comes twice once', async () => {
    const { owner, stub } = missionBench()
    const first = await stub().apply(reported(owner, 1), 'call-1')
    const second = await stub().apply(reported(owner, 1), 'call-1')
    expect(second).toEqual(first)
    await stub().apply(reported(owner, 2), 'call-2')
    await evictDurableObject(stub())
    expect(await stub().apply(reported(owner, 1), 'call-1')).toMatchObject({
      value: { version: 2 },
    })
    expect((await missions.page(owner, 'sample', { limit: 9 })).items).toHaveLength(2)
  })

  test('pages less than asked where the answer would be too large', async () => {
    const owner = freshOwner()
    for (const id of ['run-1', 'run-2', 'run-3', 'run-4'])
      await missions.apply(masked(owner, id, 5_300))
    const page = await missions.page(owner, 'masking', { limit: 100 })
    expect(page.items.map((r) => r.key)).toEqual(['run-1', 'run-2', 'run-3'])
    const rest = await missions.page(owner, 'masking', { limit: 9, cursor: page.next_cursor ?? '' })
    expect(rest.items.map((r) => r.key)).toEqual(['run-4'])
  })
})

describe('a call', () => {
  const owner = freshOwner()
  const marked = (marks: object) => Object.assign(new Error('the object failed'), marks)

  /** A namespace whose stubs fail in turn; the last one answers. */
  function namespace(...failures: readonly Error[]) {
    const calls: unknown[][] = []
    let made = 0
    const getByName = (name: string) => {
      const failure = failures[made++]
      const answer = (...parameters: unknown[]) => {
        calls.push([name, ...parameters])
        return failure === undefined ? Promise.resolve(null) : Promise.reject(failure)
      }
      return { read: answer, apply: answer, page: answer }
    }
    return { calls, missions: createMissions({ getByName }) }
  }

  test.each([{ retryable: true }, { durableObjectReset: true }])(
    'that failed with %o is made once more, with a new stub and the same id',
    async (marks) => {
      const { calls, missions } = namespace(marked(marks))
      await missions.apply(configured(owner))
      expect(calls).toHaveLength(2)
      expect(calls[0]).toEqual(calls[1])
      expect(calls[0]?.[0]).toBe(`${owner.tenant}/${owner.mission}`)
    },
  )

  test('that failed twice fails', async () => {
    const { calls, missions } = namespace(marked({ retryable: true }), marked({ retryable: true }))
    await expect(missions.read(owner)).rejects.toThrow('the object failed')
    expect(calls).toHaveLength(2)
  })

  test.each([
    {},
    { remote: true },
    { overloaded: true },
    { overloaded: true, retryable: true },
    { overloaded: true, durableObjectReset: true },
  ])('that failed with %o is not made again', async (marks) => {
    const { calls, missions } = namespace(marked(marks))
    await expect(missions.page(owner, 'sample', { limit: 1 })).rejects.toThrow('the object failed')
    expect(calls).toHaveLength(1)
  })

  test('has an id of its own', async () => {
    const { calls, missions } = namespace()
    await missions.apply(configured(owner))
    await missions.apply(configured(owner))
    expect(calls[0]?.[2]).not.toBe(calls[1]?.[2])
  })
})
