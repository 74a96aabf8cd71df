import * as z from 'zod'
import { toolName } from '../../../domain/identifier.ts'
import { MAX_OBJECTIVE, MAX_WINDOW_TOKENS } from '../../../domain/mission/settings.ts'
import type { OperationRow } from '../../operation.ts'
import { percentage } from '../context.ts'
import { MAX_CALL_ID } from '../masking/observations.ts'
import { ref } from '../memex.ts'

/** Text that has UTF-8, in at most so many UTF-16 units; what it says is judged by its own rule. */
export const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed(), { error: 'has a lone surrogate' })

const turnNumber = z.int().positive().max(1_000_000_000)
const warnings = z.array(z.string())

export const refusedText = ['secret_detected', 'mission_erased', 'storage_not_configured'] as const

export const memoryRows = {
  put_extract: {
    method: 'PUT',
    path: '/v1/missions/{mission}/extracts/{task}/{turn}',
    summary: 'Keep the key facts of a large tool output as 3 to 5 bullets (seed step 1)',
    scope: 'mission:write',
    body: z.strictObject({
      call_id: text(MAX_CALL_ID).min(1),
      tool: toolName,
      bullets: z.array(text(2000)).max(100),
      ref: ref.optional(),
    }),
    answers: z.strictObject({ path: z.string() }),
    outcomes: ['ok'],
    problems: [...refusedText, 'bullets_out_of_range', 'excerpt_not_found'],
  },
  add_summary: {
    method: 'POST',
    path: '/v1/missions/{mission}/summaries',
    summary: 'Log one paragraph in place of 3 to 5 old turns, never of a summary (seed steps 5, 6)',
    scope: 'mission:write',
    body: z.strictObject({
      turns: z.strictObject({ from: turnNumber, to: turnNumber }),
      text: text(100_000),
      saved_tokens: z.int().nonnegative().max(1_000_000_000),
      context_percent: percentage,
    }),
    answers: z.strictObject({ id: z.string(), line: z.string() }),
    outcomes: ['created'],
    problems: [
      ...refusedText,
      'range_not_eligible',
      'resummarization_refused',
      'summary_out_of_range',
    ],
  },
  leave_breadcrumb: {
    method: 'POST',
    path: '/v1/missions/{mission}/breadcrumbs',
    summary: 'Write down what was done, where the outputs are and what is next (seed step 6)',
    scope: 'mission:write',
    body: z.strictObject({
      did: text(20_000),
      outputs: z.array(text(1024)).max(200),
      next: text(20_000),
      task_complete: z.boolean(),
    }),
    answers: z.strictObject({ path: z.string(), words: z.int(), warnings }),
    outcomes: ['created'],
    problems: [...refusedText, 'breadcrumb_out_of_range'],
  },
  delegate: {
    method: 'POST',
    path: '/v1/missions/{mission}/delegations',
    summary: 'Open a child mission at 0 % with its own budget, packet and token (seed steps 8, 9)',
    scope: 'mission:write',
    body: z.strictObject({
      objective: text(MAX_OBJECTIVE).min(1),
      paths: z.array(text(1024).min(1)).max(100),
      success_criteria: text(MAX_OBJECTIVE).min(1),
      window_tokens: z.int().positive().max(MAX_WINDOW_TOKENS),
    }),
    answers: z.strictObject({
      mission: z.string(),
      token: z.string(),
      packet: z.strictObject({
        objective: z.string(),
        paths: z.array(z.string()),
        success_criteria: z.string(),
        window_tokens: z.int(),
        breadcrumb: z.strictObject({ path: z.string(), text: z.string() }).nullable(),
        excerpts: z.array(ref),
      }),
    }),
    outcomes: ['created'],
    madeAgain: true,
    problems: [
      ...refusedText,
      'mission_not_found',
      'mission_halted',
      'mission_completed',
      'one_off_mission',
      'excerpt_not_found',
      'excerpt_corrupt',
      'memory_file_not_found',
      'scope_not_held',
    ],
  },
} as const satisfies Record<string, OperationRow>
