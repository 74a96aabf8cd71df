import { expect, it } from 'vitest'
import { firedTriggers } from '../../../../src/operations/fold/escalations/fired-triggers.ts'
import type { Missions } from '../../../../src/ports.ts'

const OWNER = { tenant: 't', mission: 'm' }

it('gives every trigger that a mission recorded, on whichever page it stands', async () => {
  const pages = [['ET-1', 'fold_rejected'], ['ET-1'], ['ET-2']]
  const missions = {
    page: async (
      _owner: unknown,
      _kind: unknown,
      { cursor = '0' }: { readonly cursor?: string },
    ) => ({
      items: (pages[Number(cursor)] ?? []).map((trigger) => ({ body: { trigger } })),
      next_cursor: Number(cursor) < pages.length - 1 ? String(Number(cursor) + 1) : null,
    }),
  } as unknown as Missions
  expect(await firedTriggers({ missions }, OWNER)).toEqual(['ET-1', 'ET-2'])
})

it('gives none where no mission is kept', async () => {
  expect(await firedTriggers({ missions: null }, OWNER)).toEqual([])
})
