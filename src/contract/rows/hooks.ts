import * as z from 'zod'
import { identifier } from '../../domain/identifier.ts'
import { PHASES } from '../../domain/mission/phases.ts'
import type { OperationRow } from '../operation.ts'
import { status } from './missions.ts'

/** The largest signed webhook, in bytes; the specification advises to stay below 20 KB. */
export const MAX_WEBHOOK_BYTES = 1024 * 1024

/** What a webhook did; its replays are answered with the same. */
const received = z.strictObject({
  mission: identifier.nullable(),
  outcome: z.enum(['applied', 'deferred', 'unchanged', 'ignored']),
  phase: z.enum(PHASES).nullable(),
  status: status.nullable(),
  refused: z.array(z.strictObject({ part: z.string(), code: z.string() })),
})

const refusedBody = [
  'malformed_json',
  'too_deep',
  'body_too_large',
  'unsupported_content_encoding',
  'mission_not_found',
  'storage_not_configured',
  // Where none of an event's parts can be applied, the first one's refusal is the answer.
  'window_unknown',
  'format_unknown',
  'transcript_invalid',
  'secret_detected',
  'invalid_utf8',
  'mission_completed',
] as const

export const hookRows = {
  receive_webhook: {
    method: 'POST',
    path: '/v1/hooks/standard/{endpoint}',
    summary: 'A platform’s event as a signed Standard Webhook; its endpoint says whose it is',
    scope: 'none',
    reads: {
      'webhook-id': 'the same at every attempt',
      'webhook-timestamp': 'of the attempt, in whole unix seconds',
      'webhook-signature': '`v1,<base64>`, up to ten with spaces between',
    },
    headers: { 'Idempotent-Replayed': '`true` where this is the answer of an earlier attempt' },
    body: 'bytes',
    maxBytes: MAX_WEBHOOK_BYTES,
    tooLarge: 'body_too_large',
    answers: received,
    outcomes: ['ok', 'accepted'],
    problems: [
      ...refusedBody,
      'endpoint_not_found',
      'webhook_malformed',
      'webhook_timestamp_out_of_range',
      'webhook_signature_invalid',
      'idempotency_key_reused',
    ],
  },
  receive_claude_code_hook: {
    method: 'POST',
    path: '/v1/hooks/claude-code/{mission}',
    summary: 'A Claude Code HTTP hook; a very long tool output comes back clipped',
    scope: 'hooks:ingest',
    body: 'bytes',
    tooLarge: 'body_too_large',
    answers: z.strictObject({
      hookSpecificOutput: z.strictObject({
        hookEventName: z.literal('PostToolUse'),
        updatedToolOutput: z.unknown(),
      }),
    }),
    outcomes: ['ok', 'empty'],
    problems: [...refusedBody],
  },
  receive_langgraph_run: {
    method: 'POST',
    path: '/v1/hooks/langgraph/{mission}',
    summary:
      'The webhook of a LangGraph run, as JSON whatever it is called; its messages are metered',
    scope: 'hooks:ingest',
    body: 'bytes',
    tooLarge: 'body_too_large',
    answers: received,
    headers: { 'Idempotent-Replayed': '`true` where this run was told of before' },
    outcomes: ['ok', 'accepted'],
    problems: [...refusedBody],
  },
} as const satisfies Record<string, OperationRow>
