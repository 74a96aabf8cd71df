import * as z from 'zod'
import { identifier, modelName } from '../identifier.ts'
import { policyInput } from './policy.ts'
import { prices } from './prices.ts'
import { thresholds } from './thresholds.ts'

/** The longest objective and the longest success criteria, in UTF-16 units. */
export const MAX_OBJECTIVE = 4000

/** The largest window that is believed, in tokens. */
export const MAX_WINDOW_TOKENS = 100_000_000

/** A mission's settings are kept in one row with its state. */
const isModest = (policy: object): boolean => JSON.stringify(policy).length <= 100_000

/**
 * What a mission is told when it is opened or changed (DESIGN section 14). A key that is absent stays
 * as it was.
 */
export const missionSettings = z.strictObject({
  model: modelName.optional().describe('whose window is known'),
  window_tokens: z
    .int()
    .positive()
    .max(MAX_WINDOW_TOKENS)
    .optional()
    .describe('the window, over what the model says'),
  max_tool_calls: z
    .int()
    .positive()
    .max(1_000_000)
    .optional()
    .describe('of the mission; abstract has 5 % of it'),
  one_off: z.boolean().optional().describe('it never delegates'),
  objective: z
    .string()
    .max(MAX_OBJECTIVE)
    .optional()
    .describe('what it is for; stands first in the context'),
  success_criteria: z
    .string()
    .max(MAX_OBJECTIVE)
    .optional()
    .describe('when it is done; stands first in the context'),
  parent: identifier.optional().describe('the mission that it follows'),
  policy: policyInput
    .refine(isModest, { error: 'is too long for a mission: pass it with the call' })
    .optional()
    .describe('the masking policy of calls that name none'),
  ttl_days: z.int().positive().max(3650).optional().describe('erased after so many days'),
  thresholds: thresholds.optional().describe('percentages where a zone begins'),
  prices: prices.optional().describe('relative prices of a token, for cost and break-even'),
})
export type MissionSettings = z.infer<typeof missionSettings>
