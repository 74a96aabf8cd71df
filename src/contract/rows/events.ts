import * as z from 'zod'
import { timestamp } from '../../domain/identifier.ts'
import { LIVE_TYPES } from '../../domain/mission/live-event.ts'
import type { OperationRow } from '../operation.ts'
import { page, paging } from '../paging.ts'

/** An event's id: what `after` resumes from. */
const eventId = z.string().regex(/^\d{1,15}-\d{1,4}$/)

const liveEvent = z.strictObject({
  id: eventId,
  type: z.enum(LIVE_TYPES),
  timestamp,
  data: z.record(z.string(), z.unknown()),
})

const delivery = z.strictObject({
  id: z.string(),
  endpoint: z.string(),
  message: z.string(),
  event: liveEvent.omit({ id: true }),
  state: z.enum(['pending', 'delivered', 'dead']),
  tries: z.int(),
  next_at: timestamp.nullable(),
  last: z.strictObject({ at: timestamp, outcome: z.string() }).nullable(),
})

export const eventRows = {
  list_events: {
    method: 'GET',
    path: '/v1/missions/{mission}/events',
    summary: 'What happened to the mission, oldest first; as a WebSocket, what happens from now on',
    scope: 'mission:read',
    query: z.strictObject({ ...paging, after: eventId.optional() }),
    answers: page(liveEvent),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
  list_deliveries: {
    method: 'GET',
    path: '/v1/missions/{mission}/deliveries',
    summary: 'Webhooks to outbound endpoints; with state=dead, the dead letters',
    scope: 'mission:read',
    query: z.strictObject({ ...paging, state: delivery.shape.state.optional() }),
    answers: page(delivery),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
  resend_delivery: {
    method: 'POST',
    path: '/v1/missions/{mission}/deliveries/{id}/resend',
    summary: 'Send a webhook again from the start; its endpoint is enabled again',
    scope: 'mission:write',
    answers: delivery,
    outcomes: ['accepted'],
    problems: [
      'invalid_identifier',
      'mission_not_found',
      'mission_erased',
      'delivery_not_found',
      'storage_not_configured',
    ],
  },
} as const satisfies Record<string, OperationRow>
