import * as z from 'zod'
import { toolName } from '../../../domain/identifier.ts'
import type { OperationRow } from '../../operation.ts'
import { advice, conversation, extractDue } from '../context.ts'
import { ref } from '../memex.ts'

const turn = z.int().nonnegative().max(1_000_000_000)
/** The longest call id; the longest seen has 450 characters. */
export const MAX_CALL_ID = 1024
/** Call ids as providers make them. */
export const callId = z.string().min(1).max(MAX_CALL_ID)

export const observationRows = {
  observe: {
    method: 'POST',
    path: '/v1/missions/{mission}/observations',
    summary: 'One tool output as it arrives; answers with advice and the edits that are due',
    scope: 'mission:write',
    body: z.strictObject({
      call_id: callId.describe('as the provider made it'),
      tool: toolName,
      turn,
      input: z.unknown().optional().describe('what the tool was called with'),
      output: z
        .unknown()
        .describe('what came back: text, or the content as it stands in the transcript'),
      is_error: z.boolean().default(false).describe('it is an error message'),
      usage: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('the provider’s usage object of the last call'),
      conversation,
    }),
    answers: z.strictObject({
      ref: ref.optional(),
      bytes: z.int(),
      tokens: z.int(),
      advice,
      extracts_due: z.array(extractDue),
      edits: z.array(
        z.strictObject({
          call_id: z.string(),
          turn: z.int(),
          placeholder: z.string(),
          ref: ref.nullable(),
        }),
      ),
      warnings: z.array(z.string()).optional(),
    }),
    outcomes: ['ok'],
    problems: [
      'malformed_json',
      'too_deep',
      'body_too_large',
      'unsupported_media_type',
      'unsupported_content_encoding',
      'invalid_identifier',
      'mission_erased',
      'storage_not_configured',
    ],
  },
  put_retention: {
    method: 'PUT',
    path: '/v1/missions/{mission}/retention/{turn}/{call_id}',
    summary: 'Decide for one tool call whether its output may be masked (seed step 2)',
    scope: 'mission:write',
    body: z.strictObject({ decision: z.enum(['mask', 'keep']) }),
    answers: z.strictObject({
      turn: z.int(),
      call_id: z.string(),
      decision: z.enum(['mask', 'keep']),
    }),
    outcomes: ['ok'],
    problems: [
      'malformed_json',
      'unsupported_media_type',
      'invalid_identifier',
      'mission_erased',
      'storage_not_configured',
    ],
  },
} as const satisfies Record<string, OperationRow>
