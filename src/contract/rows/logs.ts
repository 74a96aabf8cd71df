import * as z from 'zod'
import { givenTime, identifier, timestamp, toolName } from '../../domain/identifier.ts'
import { LOGGED_DECISIONS } from '../../domain/log/row.ts'
import type { OperationRow } from '../operation.ts'
import { page, paging } from '../paging.ts'
import { ref } from './memex.ts'

const maskingItem = z.strictObject({
  pointer: z.string(),
  call_id: z.string(),
  tool: z.string(),
  turn: z.int(),
  decision: z.enum(LOGGED_DECISIONS),
  ref: ref.nullable(),
  bytes: z.int(),
  tokens: z.int(),
  saved_tokens: z.int(),
})

/** One masking run: `line` is the seed's log line, the items are what was masked or failed. */
export const maskingEntry = z.strictObject({
  id: z.string(),
  at: timestamp,
  line: z.string(),
  masked: z.int(),
  percent: z.number().nullable(),
  items: z.array(maskingItem),
})

const logEntry = z.looseObject({ at: timestamp, line: z.string() })

export const logRows = {
  mission_log: {
    method: 'GET',
    path: '/v1/missions/{mission}/logs/{log}',
    summary: 'The masking or summarization log of one mission, oldest first',
    scope: 'mission:read',
    query: z.strictObject(paging),
    answers: page(logEntry),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'not_found', 'mission_not_found', 'storage_not_configured'],
  },
  masking_log: {
    method: 'GET',
    path: '/v1/logs/masking',
    summary: 'The masking log across missions, newest first',
    scope: 'mission:read',
    query: z.strictObject({
      ...paging,
      tool: toolName.optional(),
      since: givenTime.optional(),
    }),
    answers: page(maskingEntry.extend({ mission: identifier })),
    outcomes: ['ok'],
    problems: ['storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
