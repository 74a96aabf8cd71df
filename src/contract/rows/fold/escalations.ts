import * as z from 'zod'
import { givenTime, identifier, timestamp } from '../../../domain/identifier.ts'
import type { OperationRow } from '../../operation.ts'
import { page, paging } from '../../paging.ts'

const line = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, { error: 'must be one line' })

const decision = z.enum(['resume', 'follow_up', 'abandon'])

export const escalation = z.strictObject({
  id: z.string(),
  trigger: z.string(),
  fired_at: timestamp,
  on_probe: z.string().nullable(),
  on_path: z.string().nullable(),
  action_taken: z.string(),
  status: z.enum(['open', 'recorded', 'resolved']),
  resolution: z
    .strictObject({
      decision,
      note: z.string(),
      at: timestamp,
      child: identifier.nullable(),
    })
    .nullable(),
})

const refused = [
  'malformed_json',
  'unsupported_media_type',
  'invalid_identifier',
  'secret_detected',
  'mission_erased',
  'storage_not_configured',
] as const

export const escalationRows = {
  record_escalation: {
    method: 'POST',
    path: '/v1/missions/{mission}/escalations',
    summary: 'Record an escalation trigger that fired',
    scope: 'mission:write',
    body: z.strictObject({
      trigger: line,
      fired_at: givenTime,
      on_probe: line.optional(),
      on_path: line.optional(),
      action_taken: z.enum(['halt', 'annotate', 'continue-with-flag']),
    }),
    answers: escalation,
    outcomes: ['created'],
    problems: [...refused, 'mission_completed'],
  },
  list_escalations: {
    method: 'GET',
    path: '/v1/missions/{mission}/escalations',
    summary: 'The escalations of a mission, oldest first',
    scope: 'mission:read',
    query: z.strictObject(paging),
    answers: page(escalation),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
  resolve_escalation: {
    method: 'POST',
    path: '/v1/missions/{mission}/escalations/{id}/resolution',
    summary: 'A human answers an escalation: resume, follow up or abandon',
    scope: 'escalations:resolve',
    body: z.strictObject({ decision, note: z.string().max(4000) }),
    answers: escalation.extend({
      child: identifier.optional().describe('the mission that a follow_up opened'),
    }),
    outcomes: ['ok'],
    problems: [
      ...refused,
      'mission_not_found',
      'escalation_not_found',
      'escalation_resolved',
      'follow_up_too_deep',
    ],
  },
} as const satisfies Record<string, OperationRow>
