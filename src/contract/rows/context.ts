import * as z from 'zod'
import { modelName, timestamp } from '../../domain/identifier.ts'
import type { OperationRow } from '../operation.ts'
import { page, paging } from '../paging.ts'

export const advice = z.strictObject({
  action: z.enum([
    'halt',
    'switch',
    'mask',
    'checkpoint',
    'abstract',
    'summarize',
    'delegate',
    'hold',
    'continue',
  ]),
  rule: z.string(),
  reason: z.string(),
  ranges: z.array(z.strictObject({ from: z.int(), to: z.int() })).optional(),
})

export type AdviceAnswer = z.input<typeof advice>

const method = z.enum(['host', 'usage', 'counted', 'estimated'])
export const zone = z.enum(['green', 'amber', 'red', 'critical'])

/** A tool result of 2 KB and more that no extract keeps yet (seed step 1). */
export const extractDue = z.strictObject({
  call_id: z.string(),
  tool: z.string(),
  turn: z.int(),
  bytes: z.int(),
  urgent: z.boolean().optional(),
})

/** How full the context is: `percent` of the window, 0 to beyond 100. */
export const reading = z.strictObject({
  percent: z.number(),
  tokens: z.int().nullable(),
  window_tokens: z.int().nullable(),
  method,
  band: z.tuple([z.number(), z.number()]),
  zone,
})

export type ReadingAnswer = z.input<typeof reading>

/** Names one line of history inside a mission: a subagent, a branch. */
export const conversation = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:@-]{0,127}$/)
  .optional()
  .describe('which line of history it is of; by default known by how it begins')

/** A percentage of the window as a caller gives it. */
export const percentage = z.number().nonnegative().max(10_000)

const warnings = z.array(z.string())

export const contextRows = {
  report_context: {
    method: 'POST',
    path: '/v1/missions/{mission}/context',
    summary: 'Report how full the context is; answers the percentage and what to do next',
    scope: 'mission:write',
    body: z.strictObject({
      used_percentage: percentage.optional().describe('the host’s own percentage: believed first'),
      usage: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('the provider’s usage object of the last call alone'),
      request: z
        .unknown()
        .optional()
        .describe('the request, to be counted; with usage it calibrates later counts'),
      format: z.string().optional().describe('its format, where it is not recognised'),
      characters: z
        .int()
        .nonnegative()
        .optional()
        .describe('length of the context, divided by 3.5: believed last'),
      turn: z.int().nonnegative().optional().describe('number of the turn'),
      cause: z
        .string()
        .max(200)
        .optional()
        .describe('why this is reported, for the history; `switch` where the context is a new one'),
      task_complete: z.boolean().optional().describe('the task is done: the advice is to switch'),
      model: modelName.optional().describe('whose window is known'),
      window_tokens: z.int().positive().optional().describe('the window, over what the model says'),
      conversation,
    }),
    answers: reading.extend({
      advice,
      extracts_due: z.array(extractDue),
      warnings: warnings.optional(),
    }),
    outcomes: ['ok'],
    problems: [
      'malformed_json',
      'too_deep',
      'body_too_large',
      'unsupported_media_type',
      'format_unknown',
      'transcript_invalid',
      'window_unknown',
      'secret_detected',
      'mission_erased',
      'storage_not_configured',
    ],
  },
  context_history: {
    method: 'GET',
    path: '/v1/missions/{mission}/context/history',
    summary: 'Every report as a sample, oldest first',
    scope: 'mission:read',
    query: z.strictObject(paging),
    answers: page(
      z.strictObject({
        at: timestamp,
        percent: z.number(),
        tokens: z.int().nullable(),
        method,
        zone,
        cause: z.string(),
      }),
    ),
    outcomes: ['ok'],
    problems: ['mission_not_found', 'storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
