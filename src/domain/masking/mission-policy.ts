import type { MissionSettings } from '../mission/settings.ts'
import { resolvePolicy } from '../transcript/policy.ts'
import type { Policy, PolicyInput } from '../transcript/policy.ts'

/** The policy of a call: what the call says, else the mission's own, else the defaults. */
export const policyOf = (settings: MissionSettings, call?: PolicyInput): Policy =>
  resolvePolicy(settings.prices && { prices: settings.prices }, settings.policy, call)
