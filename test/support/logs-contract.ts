import { describe, expect, test } from 'vitest'
import type {
  EscalationRow,
  FoldRow,
  LogRow,
  MaskingItem,
  MaskingRow,
  MissionRow,
  SummaryRow,
} from '../../src/domain/log/row.ts'
import type { Logs, Owner, Page } from '../../src/ports.ts'
import { freshName, freshOwner } from './fresh.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 30, 12, 0, second)).toISOString()

export const missionRow = (owner: Owner, rest: Partial<MissionRow> = {}): MissionRow => ({
  table: 'missions',
  ...owner,
  version: 1,
  status: 'active',
  phase: 'assess',
  fold: 'none',
  model: 'claude-sonnet-4-5',
  window_tokens: 200_000,
  percent: 12.5,
  zone: 'green',
  created_at: at(0),
  updated_at: at(0),
  ...rest,
})

export const item = (n: number, rest: Partial<MaskingItem> = {}): MaskingItem => ({
  pointer: `/messages/${n}/content/0`,
  call_id: `toolu_${n}`,
  tool: 'read_file',
  turn: n,
  decision: 'masked',
  ref: `memex://excerpt/${String(n).padStart(64, '0')}`,
  bytes: 4_096,
  tokens: 1_024,
  saved_tokens: 967,
  ...rest,
})

export const maskingRow = (
  owner: Owner,
  id: string,
  rest: Partial<MaskingRow> = {},
): MaskingRow => ({
  table: 'masking',
  ...owner,
  id,
  at: at(0),
  line: `[${at(0)}] masked 1 outputs, new context %: 55.1`,
  masked: 1,
  percent: 55.1,
  items: [item(1)],
  ...rest,
})

const summaryRow = (owner: Owner, id: string): SummaryRow => ({
  table: 'summaries',
  ...owner,
  id,
  at: at(0),
  line: 'summarized turns 1-4',
  turn_from: 1,
  turn_to: 4,
  saved_tokens: 900,
  percent: 61,
})

const escalationRow = (owner: Owner, id: string, status = 'open'): EscalationRow => ({
  table: 'escalations',
  ...owner,
  id,
  at: at(0),
  trigger: 'schema_change',
  status,
  body: '{"note":"it\\u0000s \\"quoted\\""}',
})

const foldRow = (owner: Owner, id: string, rest: Partial<FoldRow> = {}): FoldRow => ({
  table: 'folds',
  ...owner,
  id,
  at: at(0),
  accepted: 1,
  fold_tokens: 1_900,
  trajectory_tokens: 19_000,
  fold_ratio: 0.1,
  ...rest,
})

/** What every copy of the logs across missions must do. */
export function logsContract(name: string, logs: () => Logs): void {
  describe(`${name} keeps the logs across missions`, () => {
    test('gives rows back as they were written', async () => {
      const owner = freshOwner()
      const [mission, fold] = [missionRow(owner), foldRow(owner, 'f1')]
      const bare = maskingRow(owner, 'r1', { percent: null, items: [item(3, { ref: null })] })
      await logs().write([mission, bare, fold])
      expect((await logs().missions(owner.tenant, { limit: 10 })).items).toEqual([mission])
      expect((await logs().masking(owner.tenant, { limit: 10 })).items).toEqual([bare])
      expect(await logs().folds(owner.tenant, { limit: 10 })).toEqual([fold])
    })

    test('writes nothing for no rows', async () => {
      await expect(logs().write([])).resolves.toBeUndefined()
    })

    test('takes rows written twice for rows written once', async () => {
      const owner = freshOwner()
      const rows: readonly LogRow[] = [
        missionRow(owner),
        maskingRow(owner, 'r1', { items: [item(1), item(2)] }),
        summaryRow(owner, 's1'),
        escalationRow(owner, 'e1'),
        foldRow(owner, 'f1'),
      ]
      await logs().write(rows)
      await logs().write(rows)
      await logs().write([...rows, ...rows])
      expect((await logs().missions(owner.tenant, { limit: 10 })).items).toHaveLength(1)
      const runs = (await logs().masking(owner.tenant, { limit: 10 })).items
      expect(runs).toEqual([rows[1]])
      expect(await logs().folds(owner.tenant, { limit: 10 })).toHaveLength(1)
    })

    test('keeps the latest version of a mission in whatever order they come', async () => {
      const owner = freshOwner()
      const version = (v: number) => missionRow(owner, { version: v, phase: `phase ${v}` })
      await logs().write([version(2), version(5), version(3)])
      await logs().write([version(4)])
      expect((await logs().missions(owner.tenant, { limit: 10 })).items).toEqual([version(5)])
    })

    test('gives the items of a run in the order of the transcript', async () => {
      const owner = freshOwner()
      const items = [item(2), item(10), item(1), item(100)]
      await logs().write([maskingRow(owner, 'r1', { items })])
      const [run] = (await logs().masking(owner.tenant, { limit: 1 })).items
      expect(run?.items).toEqual(items)
    })

    test('keeps hostile text literally', async () => {
      const owner = freshOwner()
      const hostile = `'); DROP TABLE masking;-- " OR 1=1 \\ % _ \u2028 🧪 \r\n`
      const row = maskingRow(owner, 'r1', {
        line: hostile,
        items: [item(1, { call_id: hostile, pointer: `/a~1b/${hostile}` })],
      })
      await logs().write([row])
      expect((await logs().masking(owner.tenant, { limit: 1 })).items).toEqual([row])
    })

    test('shows nothing of one tenant to another', async () => {
      const owner = freshOwner()
      await logs().write([missionRow(owner), maskingRow(owner, 'r1'), foldRow(owner, 'f1')])
      const other = freshName('tenant')
      expect((await logs().missions(other, { limit: 10 })).items).toEqual([])
      expect((await logs().masking(other, { limit: 10 })).items).toEqual([])
      expect(await logs().folds(other, { limit: 10 })).toEqual([])
    })

    test('pages missions newest first, each once, though some are as old as others', async () => {
      const { tenant } = freshOwner()
      const rows = Array.from({ length: 23 }, (_, i) =>
        missionRow({ tenant, mission: `m${i}` }, { created_at: at(i % 5) }),
      )
      await logs().write(rows)
      const pages = await allPages((cursor) => logs().missions(tenant, { limit: 5, cursor }))
      expect(pages.map((page) => page.length)).toEqual([5, 5, 5, 5, 3])
      const listed = pages.flat()
      expect(new Set(listed.map((row) => row.mission)).size).toBe(23)
      const times = listed.map((row) => row.created_at)
      expect(times).toEqual(times.toSorted().reverse())
    })

    test('pages masking runs newest first, each once', async () => {
      const { tenant } = freshOwner()
      const rows = Array.from({ length: 12 }, (_, i) =>
        maskingRow({ tenant, mission: `m${i % 3}` }, `r${i}`, { at: at(i % 4) }),
      )
      await logs().write(rows)
      const pages = await allPages((cursor) => logs().masking(tenant, { limit: 4, cursor }))
      expect(pages.map((page) => page.length)).toEqual([4, 4, 4])
      expect(new Set(pages.flat().map((row) => row.id)).size).toBe(12)
      const times = pages.flat().map((row) => row.at)
      expect(times).toEqual(times.toSorted().reverse())
    })

    test('lists nothing for a cursor that is not its own', async () => {
      const owner = freshOwner()
      await logs().write([missionRow(owner), maskingRow(owner, 'r1')])
      for (const cursor of ['', 'x', btoa('[1]'), btoa('["a","b","c","d"]')]) {
        expect((await logs().missions(owner.tenant, { limit: 9, cursor })).items).toEqual([])
        expect((await logs().masking(owner.tenant, { limit: 9, cursor })).items).toEqual([])
      }
    })

    test('finds missions by status, by one name and by a literal part of a name', async () => {
      const { tenant } = freshOwner()
      const names = ['alpha_1', 'alpha-2', 'beta.x1']
      await logs().write(names.map((mission) => missionRow({ tenant, mission })))
      const halted = { status: 'halted' }
      await logs().write([missionRow({ tenant, mission: 'gamma' }, halted)])
      const find = async (filter: object) =>
        (await logs().missions(tenant, { limit: 10, ...filter })).items
          .map((row) => row.mission)
          .toSorted()
      expect(await find({ status: 'halted' })).toEqual(['gamma'])
      expect(await find({ mission: 'alpha-2' })).toEqual(['alpha-2'])
      expect(await find({ q: 'alpha' })).toEqual(['alpha-2', 'alpha_1'])
      expect(await find({ q: '_' })).toEqual(['alpha_1'])
      expect(await find({ q: '%' })).toEqual([])
      expect(await find({ q: `' OR 1=1 --` })).toEqual([])
      expect(await find({ q: 'x'.repeat(500) })).toEqual([])
      expect(await find({ q: 'alpha', status: 'halted' })).toEqual([])
    })

    test('finds masking runs by tool, time and mission', async () => {
      const { tenant } = freshOwner()
      const owner = { tenant, mission: 'm1' }
      await logs().write([
        maskingRow(owner, 'early', { at: at(1), items: [item(1, { tool: 'grep' }), item(2)] }),
        maskingRow(owner, 'late', { at: at(9), items: [item(3)] }),
        maskingRow({ tenant, mission: 'm2' }, 'other', { at: at(5), items: [] }),
      ])
      const find = async (filter: object) =>
        (await logs().masking(tenant, { limit: 10, ...filter })).items.map((row) => row.id)
      expect(await find({})).toEqual(['late', 'other', 'early'])
      expect(await find({ tool: 'grep' })).toEqual(['early'])
      expect(await find({ tool: 'read_file' })).toEqual(['late', 'early'])
      expect(await find({ tool: 'gre' })).toEqual([])
      expect(await find({ since: at(5) })).toEqual(['late', 'other'])
      expect(await find({ mission: 'm2' })).toEqual(['other'])
      const [run] = (await logs().masking(tenant, { limit: 1, tool: 'grep' })).items
      expect(run?.items).toHaveLength(2)
    })

    test('keeps ids of two missions apart', async () => {
      const { tenant } = freshOwner()
      const rows = ['m1', 'm2'].map((mission) =>
        maskingRow({ tenant, mission }, 'same', { items: [item(mission === 'm1' ? 1 : 2)] }),
      )
      await logs().write(rows)
      const found = (await logs().masking(tenant, { limit: 10 })).items
      expect(found).toEqual(rows.toReversed())
    })

    test('lists folds newest first', async () => {
      const owner = freshOwner()
      const ratio = { fold_ratio: null, trajectory_tokens: null, accepted: 0 }
      const rows = [1, 3, 2].map((n) => foldRow(owner, `f${n}`, { at: at(n), ...ratio }))
      await logs().write(rows)
      expect((await logs().folds(owner.tenant, { limit: 2 })).map((row) => row.id)).toEqual([
        'f3',
        'f2',
      ])
    })

    test('lists the folds of one mission, and those whose ratio is known, behind any number of others', async () => {
      const owner = freshOwner()
      const other = { ...owner, mission: `${owner.mission}.b` }
      const unknown = { fold_ratio: null, trajectory_tokens: null }
      await logs().write([
        foldRow(owner, 'f1'),
        foldRow(owner, 'f2', { at: at(1), ...unknown }),
        foldRow(other, 'f3', { at: at(2) }),
        foldRow(other, 'f4', { at: at(3), ...unknown }),
      ])
      const ids = async (filter: object) =>
        (await logs().folds(owner.tenant, { limit: 2, ...filter })).map((row) => row.id)
      expect(await ids({})).toEqual(['f4', 'f3'])
      expect(await ids({ mission: owner.mission })).toEqual(['f2', 'f1'])
      expect(await ids({ measured: true })).toEqual(['f3', 'f1'])
      expect(await ids({ measured: true, mission: owner.mission })).toEqual(['f1'])
    })

    test('adds the ratio of a fold that had none, and changes it never again', async () => {
      const owner = freshOwner()
      const known = foldRow(owner, 'f1')
      await logs().write([foldRow(owner, 'f1', { trajectory_tokens: null, fold_ratio: null })])
      await logs().write([known])
      await logs().write([foldRow(owner, 'f1', { trajectory_tokens: 1, fold_ratio: 1_900 })])
      expect(await logs().folds(owner.tenant, { limit: 10 })).toEqual([known])
    })

    test('holds a run of 5,000 items', async () => {
      const owner = freshOwner()
      const items = Array.from({ length: 5_000 }, (_, n) => item(n))
      await logs().write([maskingRow(owner, 'big', { items })])
      const [run] = (await logs().masking(owner.tenant, { limit: 1 })).items
      expect(run?.items).toEqual(items)
    })

    test('erases every row of a mission and none of another', async () => {
      const owner = freshOwner()
      const other = { ...owner, mission: `${owner.mission}.b` }
      const rowsOf = (of: Owner): readonly LogRow[] => [
        missionRow(of),
        maskingRow(of, 'r1'),
        summaryRow(of, 's1'),
        escalationRow(of, 'e1'),
        foldRow(of, 'f1'),
      ]
      await logs().write([...rowsOf(owner), ...rowsOf(other)])
      await logs().erase(owner)
      await logs().erase(owner)
      const missions = (await logs().missions(owner.tenant, { limit: 10 })).items
      expect(missions.map((row) => row.mission)).toEqual([other.mission])
      expect((await logs().masking(owner.tenant, { limit: 10 })).items).toHaveLength(1)
      expect(await logs().folds(owner.tenant, { limit: 10 })).toHaveLength(1)
    })
  })
}

async function allPages<T>(
  list: (cursor: string | undefined) => Promise<Page<T>>,
): Promise<readonly (readonly T[])[]> {
  const pages: (readonly T[])[] = []
  let cursor: string | undefined
  do {
    const page = await list(cursor)
    pages.push(page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return pages
}
