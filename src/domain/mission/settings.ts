import * as z from 'zod'
import { identifier } from '../identifier.ts'
import { prices } from '../meter/prices.ts'
import { policyInput } from '../transcript/policy.ts'

export const thresholds = z
  .strictObject({
    amber: z.number().positive().default(60),
    summarize: z.number().positive().default(65),
    red: z.number().positive().default(70),
    critical: z.number().positive().default(85),
  })
  .refine((t) => t.amber <= t.summarize && t.summarize <= t.red && t.red <= t.critical, {
    error: 'must not fall: amber ≤ summarize ≤ red ≤ critical',
  })
export type Thresholds = z.infer<typeof thresholds>

/**
 * What a mission is told when it is opened or changed (DESIGN section 14). A key that is absent stays
 * as it was.
 */
export const missionSettings = z.strictObject({
  model: z.string().min(1).max(128).optional(),
  window_tokens: z.int().positive().max(100_000_000).optional(),
  max_tool_calls: z.int().positive().max(1_000_000).optional(),
  one_off: z.boolean().optional(),
  objective: z.string().max(4000).optional(),
  success_criteria: z.string().max(4000).optional(),
  parent: identifier.optional(),
  policy: policyInput.optional(),
  ttl_days: z.int().positive().max(3650).optional(),
  thresholds: thresholds.optional(),
  prices: prices.optional(),
})
export type MissionSettings = z.infer<typeof missionSettings>
