import * as z from 'zod'
import type { OperationRow } from '../operation.ts'

const growth = z.enum(['flat', 'linear', 'quadratic'])

export const costRows = {
  session_cost: {
    method: 'GET',
    path: '/v1/missions/{mission}/cost',
    summary: 'What the session cost, what it would have cost unmasked, and the least it could have',
    scope: 'mission:read',
    answers: z.strictObject({
      calls: z.int(),
      raw: z.number(),
      masked: z.number(),
      bound: z.number(),
      growth: z.strictObject({ raw: growth, masked: growth }),
      series: z.array(z.strictObject({ turn: z.int(), raw: z.number(), masked: z.number() })),
    }),
    outcomes: ['ok'],
    problems: ['invalid_identifier', 'mission_not_found', 'storage_not_configured'],
  },
} as const satisfies Record<string, OperationRow>
