import { LARGE_OUTPUT_BYTES } from '../mission/large-output.ts'
import { policyInput } from '../mission/policy.ts'
import type { PolicyInput } from '../mission/policy.ts'
import { prices, type Prices } from '../mission/prices.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { Thresholds } from '../mission/thresholds.ts'
import { DEFAULT_THRESHOLDS } from '../mission/thresholds.ts'
import type { ToolResult } from '../transcript/lens.ts'

/** When masking starts; `value` is a percentage of the window. */
export type Trigger =
  | { readonly type: 'percent'; readonly value: number }
  | { readonly type: 'break_even' | 'always' }

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
  readonly max_loss: number
  readonly prices: Prices
}

/** The policy that layers of input make (a mission's, then a call's): the later one wins, key by key. */
export const resolvePolicy = (...layers: readonly (PolicyInput | undefined)[]): Policy =>
  resolved(DEFAULT_THRESHOLDS, layers)

/** The policy of a call: what the call says, else the mission's own, else the defaults. */
export const policyOf = (settings: MissionSettings, call?: PolicyInput): Policy =>
  resolved(settings.thresholds ?? DEFAULT_THRESHOLDS, [
    settings.prices && { prices: settings.prices },
    settings.policy,
    call,
  ])

/** By default masking starts where the red zone begins, and ends below the amber one. */
function resolved(
  { amber, red }: Thresholds,
  layers: readonly (PolicyInput | undefined)[],
): Policy {
  const merged: PolicyInput = Object.assign({}, ...layers)
  const input = policyInput.parse(merged)
  const { trigger = { type: 'percent' } } = input
  const chosen: Trigger =
    trigger.type === 'percent' ? { type: 'percent', value: trigger.value ?? red } : trigger
  const target = input.target_percent ?? amber
  return {
    trigger: chosen,
    // A trigger below the target would fire and find its work done.
    target_percent: chosen.type === 'percent' ? Math.min(target, chosen.value) : target,
    keep: input.keep ?? 3,
    min_bytes: input.min_bytes ?? (chosen.type === 'percent' ? LARGE_OUTPUT_BYTES : 0),
    clear_at_least_tokens: input.clear_at_least_tokens ?? 0,
    exclude_tools: input.exclude_tools ?? [],
    pinned: input.pinned ?? [],
    unstorable: input.unstorable ?? 'keep',
    alpha: input.alpha ?? 0.2,
    max_loss: input.max_loss ?? 0.1,
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
