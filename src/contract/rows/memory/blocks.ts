import * as z from 'zod'
import { timestamp } from '../../../domain/identifier.ts'
import { BLOCK_LABELS } from '../../../domain/memory/entries/block.ts'
import type { OperationRow } from '../../operation.ts'
import { refusedText, text } from './memory.ts'

const refusedRead = ['mission_not_found', 'storage_not_configured'] as const

const block = {
  label: z.enum(BLOCK_LABELS),
  characters: z.int(),
  cap: z.int().nullable(),
}

export const blockRows = {
  put_block: {
    method: 'PUT',
    path: '/v1/missions/{mission}/blocks/{label}',
    summary:
      'Set a typed block of the context; over its cap it is refused, never cut (seed step 11)',
    scope: 'mission:write',
    body: z.strictObject({ text: text(200_000) }),
    answers: z.strictObject(block),
    outcomes: ['ok'],
    problems: [...refusedText, 'not_found', 'block_over_cap'],
  },
  list_blocks: {
    method: 'GET',
    path: '/v1/missions/{mission}/blocks',
    summary: 'The blocks of the context with their texts, lengths and caps',
    scope: 'mission:read',
    answers: z.strictObject({
      items: z.array(z.strictObject({ ...block, text: z.string(), at: timestamp })),
    }),
    outcomes: ['ok'],
    problems: [...refusedRead],
  },
  judge_layout: {
    method: 'POST',
    path: '/v1/missions/{mission}/layout',
    summary: 'How the context should stand, and what in it breaks the rule (seed steps 12, 13)',
    scope: 'mission:read',
    body: z.strictObject({
      request: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]),
      format: z.string().optional(),
    }),
    answers: z.strictObject({
      order: z.array(
        z.strictObject({
          part: z.string(),
          place: z.enum(['start', 'middle', 'end']),
          pointers: z.array(z.string()),
        }),
      ),
      first_100: z.strictObject({ tokens: z.int(), fits: z.boolean(), holds: z.boolean() }),
      breaks: z.array(
        z.strictObject({
          rule: z.string(),
          pointer: z.string().nullable(),
          detail: z.string(),
          hint: z.string(),
        }),
      ),
    }),
    outcomes: ['ok'],
    problems: [...refusedRead, 'format_unknown', 'transcript_invalid'],
  },
} as const satisfies Record<string, OperationRow>
