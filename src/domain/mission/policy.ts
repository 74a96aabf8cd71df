import * as z from 'zod'
import { LARGE_OUTPUT_BYTES } from './large-output.ts'
import { prices } from './prices.ts'

const percent = z.number().gt(0).max(100)

const name = z.string().min(1).max(256)

const trigger = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('percent'), value: percent.optional() }),
  z.strictObject({ type: z.literal('break_even') }),
  z.strictObject({ type: z.literal('always') }),
])

/** What a masking policy may say; names follow Anthropic's `clear_tool_uses`. Unknown keys are refused. */
export const policyInput = z.strictObject({
  trigger: trigger
    .optional()
    .describe(
      'When masking starts; by default at the percentage where the red zone of the mission begins.',
    ),
  target_percent: percent
    .optional()
    .describe(
      'With percent: mask until the context is below; by default where the amber zone begins.',
    ),
  keep: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe(
      'How many of the last results stay; from 1 on also all that the model has not seen yet.',
    ),
  min_bytes: z
    .int()
    .min(0)
    .optional()
    .describe(`Smaller results stay; ${LARGE_OUTPUT_BYTES} for percent, else 0.`),
  clear_at_least_tokens: z.int().min(0).optional().describe('Mask nothing where less can go.'),
  exclude_tools: z.array(name).max(1000).optional().describe('Tools whose results stay.'),
  pinned: z.array(name).max(10_000).optional().describe('Call ids or refs that stay.'),
  unstorable: z
    .enum(['keep', 'placeholder'])
    .optional()
    .describe('What becomes of a result that the Memex does not take.'),
  alpha: z.number().gt(0).max(100).optional().describe('With break_even: regret to rewrite price.'),
  max_loss: z
    .number()
    .min(0)
    .max(10)
    .optional()
    .describe(
      'With break_even: the share by which a session may cost more than raw, at any moment.',
    ),
  prices: prices.optional().describe('Relative prices of a token.'),
})

export type PolicyInput = z.input<typeof policyInput>
