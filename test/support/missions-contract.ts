import { describe, expect, test } from 'vitest'
import type { MissionRecord } from '../../src/domain/ledger/records.ts'
import type { Missions, Owner } from '../../src/ports.ts'
import { freshOwner } from './fresh.ts'
import { configured, erased, masked, reported } from './occurrences.ts'

/** What every set of missions' objects must do. */
export function missionsContract(name: string, missions: () => Missions): void {
  describe(`${name} keeps missions`, () => {
    test('knows nothing of a mission to which nothing happened', async () => {
      const owner = freshOwner()
      expect(await missions().read(owner)).toBeNull()
      expect(await missions().page(owner, 'sample', { limit: 5 })).toEqual({
        items: [],
        next_cursor: null,
      })
    })

    test('opens a mission with its first event and answers its state', async () => {
      const owner = freshOwner()
      const opened = await missions().apply(configured(owner, { objective: 'find it' }))
      expect(opened).toMatchObject({
        ok: true,
        value: { ...owner, version: 1, settings: { objective: 'find it' } },
      })
      const view = await missions().read(owner)
      expect(view).toEqual({ state: opened.ok && opened.value, found: [] })
    })

    test('loses none of 200 concurrent events', async () => {
      const owner = freshOwner()
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => missions().apply(reported(owner, n / 4))),
      )
      expect(answers.every((answer) => answer.ok)).toBe(true)
      expect((await missions().read(owner))?.state.version).toBe(200)
      expect((await allRecords(missions(), owner, 30)).length).toBe(200)
    })

    test('keeps missions of one name apart by tenant', async () => {
      const mine = freshOwner()
      const theirs = { ...freshOwner(), mission: mine.mission }
      await missions().apply(configured(mine, { objective: 'mine' }))
      expect(await missions().read(theirs)).toBeNull()
      await missions().apply(configured(theirs, { objective: 'theirs' }))
      expect((await missions().read(mine))?.state.settings.objective).toBe('mine')
    })

    test('pages records in their order, and backwards', async () => {
      const owner = freshOwner()
      for (let n = 0; n < 7; n++) await missions().apply(reported(owner, n))
      const forwards = await allRecords(missions(), owner, 3)
      expect(forwards.map(percentOf)).toEqual([0, 1, 2, 3, 4, 5, 6])
      const backwards = await allRecords(missions(), owner, 3, true)
      expect(backwards).toEqual(forwards.toReversed())
      expect(forwards.map((r) => r.seq)).toEqual(forwards.map((r) => r.seq).toSorted(ascending))
      const full = await missions().page(owner, 'sample', { limit: 7 })
      expect(full.next_cursor).toBeNull()
    })

    test('pages nothing for a cursor that is not its own', async () => {
      const owner = freshOwner()
      await missions().apply(reported(owner, 1))
      for (const cursor of ['', 'x', btoa('["a"]'), btoa('[1,2]')])
        expect((await missions().page(owner, 'sample', { limit: 5, cursor })).items).toEqual([])
    })

    test('finds records by kind and key', async () => {
      const owner = freshOwner()
      await missions().apply(masked(owner, 'run-1', 2))
      await missions().apply(masked(owner, 'run-2', 3, `toolu_'"%é`))
      const view = await missions().read(owner, [
        { kind: 'masking', keys: ['run-2', 'run-none', 'run-1'] },
        { kind: 'mask', keys: [JSON.stringify([`toolu_'"%é`])] },
        { kind: 'sample', keys: ['run-1'] },
        { kind: 'block', keys: [] },
      ])
      expect(view?.found.map((r) => r.kind)).toEqual(['masking', 'masking', 'mask'])
      expect(view?.found[0]).toMatchObject({ key: 'run-1', body: { masked: 2 } })
      expect(view?.found[1]).toMatchObject({ key: 'run-2', body: { masked: 3 } })
    })

    test('finds records by more keys than a statement has parameters', async () => {
      const owner = freshOwner()
      await missions().apply(masked(owner, 'run-77'))
      const keys = Array.from({ length: 6_000 }, (_, n) => `run-${n}`)
      const view = await missions().read(owner, [{ kind: 'masking', keys }])
      expect(view?.found.map((r) => r.key)).toEqual(['run-77'])
    })

    test('replaces a record of the same kind and key in its place', async () => {
      const owner = freshOwner()
      for (const [id, items] of [
        ['run-1', 1],
        ['run-2', 1],
        ['run-1', 4],
      ] as const)
        await missions().apply(masked(owner, id, items))
      const { items } = await missions().page(owner, 'masking', { limit: 10 })
      expect(items.map((r) => r.key)).toEqual(['run-1', 'run-2'])
      expect(items[0]?.body).toMatchObject({ masked: 4 })
    })

    test('answers an event with the records as they stand after it', async () => {
      const owner = freshOwner()
      const lookups = [{ kind: 'masking', keys: ['run-1'] }] as const
      const answer = await missions().applyAndRead(masked(owner, 'run-1'), lookups)
      expect(answer).toMatchObject({
        ok: true,
        value: { state: { version: 1 }, found: [{ key: 'run-1' }] },
      })
    })

    test('leaves a tombstone that remembers nothing and refuses every event but its own', async () => {
      const owner = freshOwner()
      await missions().apply(configured(owner, { objective: 'secret plan' }))
      await missions().apply(masked(owner, 'run-1'))
      expect(await missions().apply(erased(owner))).toMatchObject({
        ok: true,
        value: { status: 'erased' },
      })
      for (const event of [configured(owner), reported(owner, 5)])
        expect(await missions().apply(event)).toMatchObject({
          ok: false,
          error: { code: 'mission_erased' },
        })
      expect(await missions().apply(erased(owner))).toMatchObject({
        ok: true,
        value: { status: 'erased' },
      })
      const view = await missions().read(owner, [{ kind: 'masking', keys: ['run-1'] }])
      expect(view?.state).toMatchObject({ ...owner, status: 'erased' })
      expect(view?.found).toEqual([])
      expect(JSON.stringify(view)).not.toContain('secret plan')
      expect((await missions().page(owner, 'masking', { limit: 5 })).items).toEqual([])
    })
  })
}

async function allRecords(
  missions: Missions,
  owner: Owner,
  limit: number,
  reverse = false,
): Promise<readonly MissionRecord<'sample'>[]> {
  const all: MissionRecord<'sample'>[] = []
  let cursor: string | undefined
  do {
    const page = await missions.page(owner, 'sample', { limit, cursor, reverse })
    all.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return all
}

const percentOf = ({ body }: MissionRecord<'sample'>) => body.percent
const ascending = (a: number, b: number) => a - b
