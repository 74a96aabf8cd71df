import * as z from 'zod'
import { timestamp } from '../../../domain/identifier.ts'
import type { OperationRow } from '../../operation.ts'
import { page, paging } from '../../paging.ts'

const refusedRead = ['mission_not_found', 'storage_not_configured'] as const

export const memoryFileRows = {
  list_memory: {
    method: 'GET',
    path: '/v1/missions/{mission}/memory',
    summary: 'The files of the mission’s memory',
    scope: 'mission:read',
    query: z.strictObject(paging),
    answers: page(z.strictObject({ path: z.string(), at: timestamp })),
    outcomes: ['ok'],
    problems: [...refusedRead],
  },
  read_memory_file: {
    method: 'GET',
    path: '/v1/missions/{mission}/memory/{path}',
    summary: 'One file of the memory, as markdown',
    scope: 'mission:read',
    alsoScope: 'fold:read',
    answers: 'markdown',
    outcomes: ['ok'],
    problems: [...refusedRead, 'memory_file_not_found', 'excerpt_not_found', 'excerpt_corrupt'],
  },
  memory_tar: {
    method: 'GET',
    path: '/v1/missions/{mission}/memory.tar',
    summary: 'All files of the memory as a ustar archive',
    scope: 'mission:read',
    answers: 'tar',
    headers: { 'Content-Disposition': 'an attachment named after the mission' },
    outcomes: ['ok'],
    problems: [...refusedRead],
  },
  list_signals: {
    method: 'GET',
    path: '/v1/missions/{mission}/signals',
    summary: 'The outcome signals of the seed, each true or false with its figures',
    scope: 'mission:read',
    answers: z.strictObject({
      items: z.array(
        z.strictObject({
          id: z.string(),
          holds: z.boolean(),
          figures: z.record(z.string(), z.number().nullable()),
          detail: z.string(),
        }),
      ),
    }),
    outcomes: ['ok'],
    problems: [...refusedRead],
  },
} as const satisfies Record<string, OperationRow>
