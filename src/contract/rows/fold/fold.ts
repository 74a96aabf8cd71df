import * as z from 'zod'
import { verdict } from '../../../domain/fold/checks/verdict.ts'
import { givenTime, identifier, timestamp } from '../../../domain/identifier.ts'
import { PHASES } from '../../../domain/mission/phases.ts'
import type { OperationRow } from '../../operation.ts'
import { paging } from '../../paging.ts'
import { sha256 } from '../memex.ts'
import { mission } from '../missions.ts'
import { MAX_ARTIFACT_BYTES } from './artifacts.ts'

const document = z.string().max(MAX_ARTIFACT_BYTES)
const tokens = z.int().positive().max(1_000_000_000)

const gateItem = z.strictObject({ id: z.string(), holds: z.boolean(), evidence: z.string() })

const badBody = [
  'malformed_json',
  'too_deep',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_content_encoding',
] as const

export const foldRows = {
  fold_prompt: {
    method: 'GET',
    path: '/v1/missions/{mission}/fold/prompt',
    summary: 'The clean-context prompt: the contract and the three artifacts, and nothing else',
    scope: 'fold:read',
    answers: 'markdown',
    headers: {
      'Prompt-Sha256': 'the digest of the prompt in hex, which a submission names',
      'Fold-Warning': '`fold_cannot_fit; fits=N` where the findings are too many for any wording',
    },
    outcomes: ['ok'],
    problems: [
      'invalid_identifier',
      'mission_not_found',
      'artifact_missing',
      'excerpt_corrupt',
      'storage_not_configured',
    ],
  },
  submit_fold: {
    method: 'POST',
    path: '/v1/missions/{mission}/fold',
    summary: 'Submit the fold of the mission; a rejected one halts it',
    scope: 'fold:submit',
    body: z.strictObject({
      fold: document.describe('the whole of fold.md'),
      prompt_sha256: sha256.describe('digest of the prompt that it was made from'),
      trajectory_tokens: tokens
        .optional()
        .describe('what is folded; by default the largest context seen in locate'),
    }),
    answers: verdict,
    outcomes: ['ok'],
    problems: [
      ...badBody,
      'invalid_identifier',
      'mission_not_found',
      'artifact_missing',
      'prompt_stale',
      'fold_rejected',
      'secret_detected',
      'fold_already_accepted',
      'mission_halted',
      'mission_completed',
      'mission_erased',
      'excerpt_corrupt',
      'storage_not_configured',
    ],
  },
  check_fold: {
    method: 'POST',
    path: '/v1/fold/check',
    summary: 'Check a fold against its documents: no mission, no state',
    scope: 'fold:check',
    body: z.strictObject({
      mission_md: document,
      findings_md: document,
      fold_md: document,
      trajectory_tokens: tokens.optional(),
    }),
    answers: verdict,
    outcomes: ['ok'],
    problems: [...badBody],
  },
  move_phase: {
    method: 'POST',
    path: '/v1/missions/{mission}/phase',
    summary: 'Move the mission to a phase: forward only, again is nothing',
    scope: 'mission:write',
    body: z.strictObject({
      to: z.enum(PHASES),
      event_id: z.string().min(1).max(128).optional(),
      at: givenTime.optional(),
    }),
    answers: mission,
    outcomes: ['ok'],
    problems: [
      ...badBody,
      'invalid_identifier',
      'phase_backwards',
      'gate_open',
      'mission_halted',
      'mission_completed',
      'mission_erased',
      'storage_not_configured',
    ],
  },
  exit_gate: {
    method: 'GET',
    path: '/v1/missions/{mission}/gate',
    summary: 'What must hold before the mission leaves abstract, item by item',
    scope: 'mission:read',
    answers: z.strictObject({ holds: z.boolean(), items: z.array(gateItem) }),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
  fold_ratio: {
    method: 'GET',
    path: '/v1/telemetry/fold-ratio',
    summary: 'fold_ratio across missions, newest first, and what a pattern in it says',
    scope: 'mission:read',
    query: z.strictObject({ limit: paging.limit }),
    answers: z.strictObject({
      items: z.array(
        z.strictObject({
          mission: identifier,
          at: timestamp,
          accepted: z.boolean(),
          fold_tokens: z.int().nullable(),
          trajectory_tokens: z.int().nullable(),
          fold_ratio: z.number().nullable(),
        }),
      ),
      target: z.number(),
      alarm: z.number(),
      pattern: z.boolean(),
      advice: z.string().nullable(),
    }),
    outcomes: ['ok'],
    problems: ['storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
