import * as z from 'zod'
import { prices, type Prices } from '../meter/prices.ts'
import type { ToolResult } from './lens.ts'

const percent = z.number().gt(0).max(100)
const name = z.string().min(1).max(256)

const trigger = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('percent'), value: percent.default(70) }),
  z.strictObject({ type: z.literal('break_even') }),
  z.strictObject({ type: z.literal('always') }),
])

/** What a masking policy may say; names follow Anthropic's `clear_tool_uses`. Unknown keys are refused. */
export const policyInput = z.strictObject({
  trigger: trigger.optional().describe('When masking starts; percent 70 by default.'),
  target_percent: percent.optional().describe('With percent: mask until the context is below.'),
  keep: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe(
      'How many of the last results stay; from 1 on also all that the model has not seen yet.',
    ),
  min_bytes: z.int().min(0).optional().describe('Smaller results stay; 2048 for percent, else 0.'),
  clear_at_least_tokens: z.int().min(0).optional().describe('Mask nothing where less can go.'),
  exclude_tools: z.array(name).max(1000).optional().describe('Tools whose results stay.'),
  pinned: z.array(name).max(10_000).optional().describe('Call ids or refs that stay.'),
  unstorable: z
    .enum(['keep', 'placeholder'])
    .optional()
    .describe('What becomes of a result that the Memex does not take.'),
  alpha: z.number().gt(0).max(100).optional().describe('With break_even: regret to rewrite price.'),
  prices: prices.optional().describe('Relative prices of a token.'),
})

export type PolicyInput = z.input<typeof policyInput>
export type Trigger = z.output<typeof trigger>

/** A policy with every default in place. */
export interface Policy {
  readonly trigger: Trigger
  readonly target_percent: number
  readonly keep: number
  readonly min_bytes: number
  readonly clear_at_least_tokens: number
  readonly exclude_tools: readonly string[]
  readonly pinned: readonly string[]
  readonly unstorable: 'keep' | 'placeholder'
  readonly alpha: number
  readonly prices: Prices
}

/** The seed's 2 KB: "if tool output is small (under 2kb): keep it in context". */
const SEED_MIN_BYTES = 2048

/** The policy that layers of input make (a mission's, then a call's): the later one wins, key by key. */
export function resolvePolicy(...layers: readonly (PolicyInput | undefined)[]): Policy {
  const merged: PolicyInput = Object.assign({}, ...layers)
  const input = policyInput.parse(merged)
  const chosen = input.trigger ?? { type: 'percent', value: 70 }
  const target = input.target_percent ?? 60
  return {
    trigger: chosen,
    // A trigger below the target would fire and find its work done.
    target_percent: chosen.type === 'percent' ? Math.min(target, chosen.value) : target,
    keep: input.keep ?? 3,
    min_bytes: input.min_bytes ?? (chosen.type === 'percent' ? SEED_MIN_BYTES : 0),
    clear_at_least_tokens: input.clear_at_least_tokens ?? 0,
    exclude_tools: input.exclude_tools ?? [],
    pinned: input.pinned ?? [],
    unstorable: input.unstorable ?? 'keep',
    alpha: input.alpha ?? 0.2,
    prices: prices.parse(input.prices ?? {}),
  }
}

/**
 * What the model has not seen stays, however many results the window keeps; a policy that keeps none
 * lets it go too, but for an excerpt that is being read back.
 */
export const staysUnread = (
  { fresh, reads_back }: Pick<ToolResult, 'fresh' | 'reads_back'>,
  { keep }: Policy,
): boolean => fresh && (keep > 0 || reads_back)
