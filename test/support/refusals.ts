import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import type { OperationName } from '../../src/contract/contract.ts'
import type { PointerError } from '../../src/domain/failure.ts'
import type { Api, Sent } from './api.ts'
import { freshOwner } from './fresh.ts'
import { workerApi } from './worker.ts'

/** A request that must be refused, with exactly this status and code, pointing at this place. */
export type Case = readonly [
  what: string,
  name: OperationName,
  sent: Sent,
  status: number,
  code: string,
  pointer: string,
]

/** Tests that the Worker refuses each case as it says, and that all of them leave no trace. */
export function refusesEach(cases: readonly Case[]): void {
  const { tenant, mission } = freshOwner()
  let api: Api

  beforeAll(async () => {
    api = await workerApi(tenant)
  })

  test.each(cases)('%s: %s', async (_what, name, sent, status, code, pointer) => {
    const problem = await api.refused(name, { mission, ...sent })
    expect({ status: problem.status, code: problem.code }).toEqual({ status, code })
    const errors = (problem.errors ?? []) as PointerError[]
    expect(errors.map((error) => error.pointer)).toContain(pointer)
    for (const { detail } of errors) expect(detail.length).toBeLessThan(200)
  })

  test('nothing was stored, opened or logged by all that', async () => {
    const { objects } = await env.MEMEX.list({ prefix: `${tenant}/` })
    expect(objects).toEqual([])
    const problem = await api.refused('get_mission', { mission })
    expect(problem).toMatchObject({ code: 'mission_not_found' })
    expect((await api.ok('masking_log')).items).toEqual([])
    expect((await api.ok('list_missions')).items).toEqual([])
    expect(Object.hasOwn(Object.prototype, 'admin')).toBe(false)
  })
}
