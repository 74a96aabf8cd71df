import * as z from 'zod'
import type { OperationRow } from '../operation.ts'

export const healthRows = {
  health: {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the service is up, and which bindings are there',
    scope: 'none',
    answers: z.strictObject({
      ok: z.literal(true),
      version: z.string(),
      bindings: z.strictObject({ memex: z.boolean(), logs: z.boolean(), missions: z.boolean() }),
    }),
    outcomes: ['ok'],
    problems: [],
  },
} as const satisfies Record<string, OperationRow>
