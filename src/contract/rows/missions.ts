import * as z from 'zod'
import { identifier, timestamp } from '../../domain/identifier.ts'
import { PHASES } from '../../domain/mission/phases.ts'
import { missionSettings } from '../../domain/mission/settings.ts'
import type { OperationRow } from '../operation.ts'
import { page, paging } from '../paging.ts'
import { advice, extractDue, reading, zone } from './context.ts'

export const status = z.enum(['active', 'halted', 'completed', 'erased'])
const fold = z.enum(['none', 'rejected', 'accepted'])

export const mission = z.strictObject({
  id: identifier,
  status,
  phase: z.enum(PHASES),
  fold,
  model: z.string().nullable(),
  window_tokens: z.int().nullable(),
  context: reading.extend({ at: timestamp }).nullable(),
  /** Its lines of history, the one that was heard last in front; `~…` is known by how it begins. */
  conversations: z.array(
    z.strictObject({ id: z.string(), percent: z.number().nullable(), at: timestamp.nullable() }),
  ),
  advice,
  extracts_due: z.array(extractDue),
  storage: z.enum(['memex', 'in_context']),
  created_at: timestamp,
})

const missionItem = z.strictObject({
  id: identifier,
  status,
  phase: z.enum(PHASES),
  fold,
  model: z.string().nullable(),
  window_tokens: z.int().nullable(),
  percent: z.number().nullable(),
  zone: zone.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
})

export const missionRows = {
  put_mission: {
    method: 'PUT',
    path: '/v1/missions/{mission}',
    summary: 'Open a mission, or change its settings',
    scope: 'mission:write',
    body: missionSettings,
    answers: mission,
    outcomes: ['created', 'ok'],
    problems: [
      'malformed_json',
      'unsupported_media_type',
      'invalid_identifier',
      'window_unknown',
      'secret_detected',
      'mission_erased',
      'storage_not_configured',
    ],
  },
  get_mission: {
    method: 'GET',
    path: '/v1/missions/{mission}',
    summary: 'A mission with its context percentage and the one thing to do next',
    scope: 'mission:read',
    answers: mission,
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
  delete_mission: {
    method: 'DELETE',
    path: '/v1/missions/{mission}',
    summary: 'Erase a mission: excerpts, log rows and state, resumed by alarm until all is gone',
    scope: 'admin',
    answers: z.strictObject({ erasing: z.literal(true) }),
    outcomes: ['accepted'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
  list_missions: {
    method: 'GET',
    path: '/v1/missions',
    summary: 'The missions of the tenant, newest first',
    scope: 'mission:read',
    query: z.strictObject({
      ...paging,
      status: status.exclude(['erased']).optional(),
      q: z.string().min(1).max(64).optional(),
    }),
    answers: page(missionItem),
    outcomes: ['ok'],
    problems: ['storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
