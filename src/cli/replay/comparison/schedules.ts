import { policyOf } from '../../../domain/masking/policy.ts'
import type { PolicyInput } from '../../../domain/mission/policy.ts'
import type { MissionSettings } from '../../../domain/mission/settings.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import type { Session } from '../session.ts'
import type { CountedSession, Schedule } from './cost-model.ts'
import { hindsight } from './hindsight.ts'
import { anthropic, lastTen } from './peers.ts'
import { rehearse } from './rehearse.ts'

export const POLICIES = ['percent', 'always', 'break_even', 'anthropic', 'last-10'] as const
export type PolicyName = (typeof POLICIES)[number]

export interface Schedules {
  /** Raw first, then the policies, and last what was best in hindsight. */
  readonly by_policy: ReadonlyMap<string, Schedule>
  /** Everything eligible before every call. */
  readonly eager: Schedule
}

/**
 * What each policy masks in a session, in a mission with these settings: ours as the domain decides
 * it, the others by their own rule.
 */
export async function schedulesOf(
  session: Session,
  counted: CountedSession,
  names: readonly PolicyName[],
  settings: MissionSettings,
  count: CountTokens,
): Promise<Schedules> {
  const { keep, prices } = policyOf(settings)
  const eager = await ours({ type: 'always' })
  const by_policy = new Map<string, Schedule>([['raw', []]])
  for (const name of names) by_policy.set(name, await scheduleOf(name))
  by_policy.set('hindsight', hindsight(counted, eager, prices))
  return { by_policy, eager }

  async function ours(trigger: PolicyInput['trigger']): Promise<Schedule> {
    const own = { ...settings, policy: { ...settings.policy, trigger } }
    const places = new Map(counted.segments.map(({ result }, segment) => [result, segment]))
    const masks = await rehearse(session, own, count)
    return masks.map((made) =>
      made.flatMap(({ pointer, tokens }) => {
        const segment = places.get(pointer)
        return segment === undefined ? [] : [{ segment, tokens }]
      }),
    )
  }

  async function scheduleOf(name: PolicyName): Promise<Schedule> {
    switch (name) {
      case 'always':
        return eager
      case 'percent':
        return ours({ type: 'percent' })
      case 'break_even':
        return ours({ type: 'break_even' })
      case 'anthropic':
        return anthropic(counted, keep)
      case 'last-10':
        return lastTen(counted)
    }
  }
}
