import { env } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import { createD1Logs } from '../../../src/adapters/d1/d1-logs.ts'
import { upsertsOf } from '../../../src/adapters/d1/upserts.ts'
import type { EscalationRow } from '../../../src/domain/log/row.ts'
import { after, always, before, callsOf, faulty, inTurn } from '../../support/faults.ts'
import { freshOwner } from '../../support/fresh.ts'
import { impatient } from '../../support/impatient.ts'
import { item, logsContract, maskingRow, missionRow } from '../../support/logs-contract.ts'

const logs = createD1Logs(env.LOGS)

logsContract('D1', () => logs)

const LOST = 'D1_ERROR: Network connection lost.'

const count = async (table: string, tenant: string) =>
  await env.LOGS.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant = ?`)
    .bind(tenant)
    .first('n')

describe('writes', () => {
  test('a write is one batch, with two statements for a run of any size', async () => {
    const owner = freshOwner()
    const db = faulty(env.LOGS)
    const items = Array.from({ length: 2_000 }, (_, n) => item(n))
    await createD1Logs(db).write([missionRow(owner), maskingRow(owner, 'r1', { items })])
    expect(callsOf(db, 'batch')).toBe(1)
    expect(callsOf(db, 'prepare')).toBe(3)
    expect(await count('masking_items', owner.tenant)).toBe(2_000)
  })

  test('a write is split so that no parameter is over 1.5 MB, and is still one batch', async () => {
    const owner = freshOwner()
    const db = faulty(env.LOGS)
    const items = Array.from({ length: 300 }, (_, n) => item(n, { call_id: 'é'.repeat(10_000) }))
    const row = maskingRow(owner, 'r1', { items })
    expect(upsertsOf([row])).toHaveLength(1 + 5)
    for (const { rows } of upsertsOf([row])) expect(rows.length).toBeLessThan(1_500_000)
    await createD1Logs(db).write([row])
    expect(callsOf(db, 'batch')).toBe(1)
    expect(await count('masking_items', owner.tenant)).toBe(300)
  })

  test('a row that no cell can hold is refused with its size', async () => {
    const owner = freshOwner()
    const row = maskingRow(owner, 'r1', { line: 'x'.repeat(1_600_000) })
    await expect(logs.write([missionRow(owner), row])).rejects.toThrow(/160\d{4} bytes/)
    expect(await count('missions', owner.tenant)).toBe(0)
  })

  test('a write is all or nothing', async () => {
    const owner = freshOwner()
    const broken = { ...maskingRow(owner, 'r1'), masked: 'many' as unknown as number }
    await expect(logs.write([missionRow(owner), broken])).rejects.toThrow('masking.masked')
    expect(await count('missions', owner.tenant)).toBe(0)
    expect(await count('masking_items', owner.tenant)).toBe(0)
  })

  test('writing an escalation again replaces it', async () => {
    const owner = freshOwner()
    const row: EscalationRow = {
      table: 'escalations',
      ...owner,
      id: 'e1',
      at: '2026-11-30T12:00:00.000Z',
      trigger: 't',
      status: 'open',
      body: '{"a":1}',
    }
    await logs.write([row])
    await logs.write([{ ...row, status: 'resolved', body: '{"a":2}' }])
    const stored = await env.LOGS.prepare('SELECT status, body FROM escalations WHERE tenant = ?')
      .bind(owner.tenant)
      .first()
    expect(stored).toEqual({ status: 'resolved', body: '{"a":2}' })
  })
})

test('a text with NUL is stored whole', async () => {
  const owner = freshOwner()
  const row = maskingRow(owner, 'r1', { items: [item(1, { call_id: 'a\u0000b' })] })
  await logs.write([row])
  const [run] = (await logs.masking(owner.tenant, { limit: 1 })).items
  expect(run?.items[0]?.call_id).toBe('a\u0000b')
})

test('a page ends before its items are too many for one answer', async () => {
  const { tenant } = freshOwner()
  const runs = ['r1', 'r2', 'r3'].map((id) =>
    maskingRow({ tenant, mission: 'm' }, id, {
      items: Array.from({ length: 3_000 }, (_, n) => item(n)),
    }),
  )
  await logs.write(runs)
  const first = await logs.masking(tenant, { limit: 10 })
  expect(first.items.map((run) => run.id)).toEqual(['r3'])
  const second = await logs.masking(tenant, { limit: 10, cursor: first.next_cursor ?? '' })
  expect(second.items.map((run) => run.id)).toEqual(['r2'])
})

describe('when D1 fails', () => {
  test.each([
    LOST,
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'D1_ERROR: D1 DB reset because its code was updated.',
  ])('a write is tried again after: %s', async (message) => {
    const owner = freshOwner()
    const db = faulty(env.LOGS, inTurn('batch', before(message), after(message)))
    await createD1Logs(db, impatient()).write([maskingRow(owner, 'r1')])
    expect(callsOf(db, 'batch')).toBe(3)
    expect(await count('masking', owner.tenant)).toBe(1)
    expect(await count('masking_items', owner.tenant)).toBe(1)
  })

  test.each([
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB exceeded its memory limit and was reset.',
    'D1_ERROR: too many SQL variables at offset 10: SQLITE_ERROR',
  ])('a write is not tried again after: %s', async (message) => {
    const db = faulty(env.LOGS, always('batch', before(message)))
    const write = createD1Logs(db, impatient()).write([missionRow(freshOwner())])
    await expect(write).rejects.toThrow(message)
    expect(callsOf(db, 'batch')).toBe(1)
  })

  test('reads are tried again, and give up with the error of D1', async () => {
    const { tenant } = freshOwner()
    const flaky = faulty(env.LOGS, inTurn('all', before(LOST), before(LOST)))
    expect((await createD1Logs(flaky, impatient()).missions(tenant, { limit: 1 })).items).toEqual(
      [],
    )
    const down = faulty(env.LOGS, always('all', before(LOST)))
    await expect(createD1Logs(down, impatient()).folds(tenant, { limit: 1 })).rejects.toThrow(LOST)
    expect(callsOf(down, 'all')).toBe(3)
  })
})

test('the migrations can be split into statements by any tool', async () => {
  const files = import.meta.glob<string>('/src/adapters/migrations/*.sql', {
    query: '?raw',
    import: 'default',
    eager: true,
  })
  expect(Object.keys(files)).not.toEqual([])
  for (const sql of Object.values(files)) {
    expect(sql).not.toContain('\r')
    expect(sql).not.toMatch(/\bCREATE\s+TRIGGER\b|\bBEGIN\b/i)
    expect(sql.trimEnd().endsWith(';')).toBe(true)
    expect(sql.match(/CREATE TABLE/g)?.length).toBe(sql.match(/\) STRICT;/g)?.length)
  }
})
