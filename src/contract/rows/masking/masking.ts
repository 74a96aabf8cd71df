import * as z from 'zod'
import { DECISIONS } from '../../../domain/masking/plan/decision.ts'
import { MOST_STORED } from '../../../domain/masking/plan/plan.ts'
import { policyInput } from '../../../domain/mission/policy.ts'
import type { OperationRow } from '../../operation.ts'
import { advice, conversation, extractDue } from '../context.ts'
import { maskingEntry } from '../logs.ts'
import { ref } from '../memex.ts'
import { callId } from './observations.ts'

const edit = z.strictObject({
  pointer: z.string(),
  call_id: z.string(),
  placeholder: z.string(),
  ref: ref.nullable(),
  /** What to set there in place of the placeholder, where the format wants a structure around it. */
  value: z.unknown().optional(),
})

const decision = z.strictObject({
  pointer: z.string(),
  call_id: z.string(),
  tool: z.string(),
  turn: z.int(),
  decision: z.enum(DECISIONS),
  ref: ref.optional(),
  bytes: z.int(),
  tokens: z.int(),
  saved_tokens: z.int(),
})

/** Percent of the window before and after; null where no window is known. */
const percents = z.strictObject({
  before: z.number().nullable(),
  after: z.number().nullable(),
})

const storage = z.enum(['memex', 'in_context'])

const refusedTranscript = [
  'malformed_json',
  'too_deep',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
  'invalid_identifier',
  'format_unknown',
  'transcript_invalid',
  'mission_erased',
] as const

/** The request is anything here: its format's own lens says what is wrong with it, and where. */
const transcript = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown())])
  .describe('the request that goes to the model next, or its list of messages')

const returns = z
  .enum(['request', 'edits'])
  .default('request')
  .describe('the whole request, or only what to change in it')

const format = z.string().optional().describe('its format, where it is not recognised')
const window_tokens = z
  .int()
  .positive()
  .optional()
  .describe('the window, where neither mission nor model says it')

export const maskingRows = {
  mask: {
    method: 'POST',
    path: '/v1/missions/{mission}/mask',
    summary: 'Mask old tool outputs: stored first, then replaced by placeholders, then logged',
    scope: 'mission:write',
    body: z.strictObject({
      request: transcript,
      format,
      policy: policyInput.optional().describe('over the policy of the mission, key by key'),
      return: returns,
      window_tokens,
      conversation,
    }),
    answers: z.strictObject({
      request: z.unknown().optional(),
      edits: z.array(edit).optional(),
      format: z.string(),
      masked: z.int().describe('masked by this call'),
      masked_before: z.int().describe('masked again, because this mission masked them before'),
      postponed: z
        .int()
        .optional()
        .describe(`left for the next call: one stores ${MOST_STORED} excerpts`),
      decisions: z.array(decision),
      first_changed_pointer: z.string().nullable(),
      context: percents,
      target_unreachable: z.strictObject({ largest: z.array(z.string()) }).optional(),
      storage,
      log_entry: maskingEntry.nullable(),
      advice: advice.nullable(),
      extracts_due: z.array(extractDue),
      warnings: z.array(z.string()).optional(),
    }),
    outcomes: ['ok'],
    madeAgain: true,
    problems: [...refusedTranscript, 'window_unknown'],
  },
  plan_mask: {
    method: 'POST',
    path: '/v1/missions/{mission}/mask/plan',
    summary: 'What a mask of this request would do, and why each result stays; changes nothing',
    scope: 'mission:read',
    body: z.strictObject({
      request: transcript,
      format,
      policy: policyInput.optional().describe('over the policy of the mission, key by key'),
      window_tokens,
      conversation,
    }),
    answers: z.strictObject({
      format: z.string(),
      masked: z.int(),
      masked_before: z.int(),
      saved_tokens: z.int(),
      decisions: z.array(decision),
      context: percents,
      storage,
    }),
    outcomes: ['ok'],
    problems: [...refusedTranscript, 'window_unknown'],
  },
  unmask: {
    method: 'POST',
    path: '/v1/missions/{mission}/unmask',
    summary:
      'Restore masked tool outputs exactly, all or the named ones, in a request or for the next',
    scope: 'mission:write',
    body: z.strictObject({
      request: transcript.optional().describe('without it the named masks are lifted'),
      format,
      refs: z.array(ref).max(10_000).optional().describe('only these; by default all'),
      call_ids: z
        .array(callId)
        .max(10_000)
        .optional()
        .describe('without a request: the calls whose results are masked no more'),
      pin: z.boolean().default(false).describe('they are not masked again'),
      return: returns,
      /** Without the mission's object: the log entries that the mask calls answered. */
      log_entries: z.array(maskingEntry).optional(),
    }),
    answers: z.strictObject({
      request: z.unknown().optional(),
      edits: z.array(z.strictObject({ pointer: z.string(), value: z.unknown() })).optional(),
      restored: z.int(),
      not_restored: z.array(z.strictObject({ pointer: z.string(), reason: z.string() })),
    }),
    outcomes: ['ok'],
    madeAgain: true,
    problems: [
      ...refusedTranscript,
      'invalid_input',
      'mission_not_found',
      'storage_not_configured',
    ],
  },
} as const satisfies Record<string, OperationRow>
