import { resolvePolicy } from '../../../domain/masking/policy.ts'
import { windowOfModel } from '../../../domain/meter/window.ts'
import type { CountTokens } from '../../../domain/tokens.ts'
import type { Session } from '../session.ts'
import { sessionCost } from './cost-model.ts'
import type { SessionCost } from './cost-model.ts'
import { schedulesOf } from './schedules.ts'
import type { PolicyName } from './schedules.ts'
import { segmentsOf } from './segments.ts'

/** A session that names no model is taken to have had the window of gpt-4o. */
export const ASSUMED_WINDOW = 128_000

/** What all sessions of a file cost under one policy. */
export interface Compared {
  readonly policy: string
  readonly tokens_sent: number
  readonly uncached: number
  readonly cached: number
  /** Of the cost with prompt caching when nothing is masked. */
  readonly share_of_raw: number
  /** The same of the session that fares worst. */
  readonly worst_session: number
  readonly masked: number
  readonly rewrites: number
}

export interface Comparison {
  readonly file: string
  readonly keep: number
  readonly sessions: number
  readonly calls: number
  readonly results: number
  /** Raw first, then the policies, and last the best choice of moments, known in hindsight. */
  readonly rows: readonly Compared[]
  /** Masking without losing the cache, which nothing can reach. */
  readonly bound: Compared
}

/**
 * Compares policies on recorded sessions, from counted tokens alone. `anthropic` and `last-10` are
 * what others do, the former with our `keep`; they are here to compare with and are not in the Worker.
 */
export async function compare(
  file: string,
  sessions: readonly Session[],
  names: readonly PolicyName[],
  options: { readonly keep?: number | undefined; readonly window?: number | undefined },
  count: CountTokens,
): Promise<Comparison> {
  const { keep, prices } = resolvePolicy(options.keep === undefined ? {} : { keep: options.keep })
  const costs = new Map<string, SessionCost[]>()
  const bounds: SessionCost[] = []
  for (const session of sessions) {
    const window_tokens = options.window ?? windowOfModel(session.model ?? '') ?? ASSUMED_WINDOW
    const counted = segmentsOf(session, count)
    const settings = { window_tokens, policy: { keep, prices } }
    const { by_policy, eager } = await schedulesOf(session, counted, names, settings, count)
    for (const [name, schedule] of by_policy)
      costs.set(name, [...(costs.get(name) ?? []), sessionCost(counted, schedule, prices)])
    bounds.push(sessionCost(counted, eager, prices, { free: true }))
  }
  const raw = costs.get('raw') ?? []
  return {
    file,
    keep,
    sessions: sessions.length,
    calls: raw.reduce((calls, cost) => calls + cost.calls, 0),
    results: sessions.reduce((results, session) => results + session.results, 0),
    rows: [...costs].map(([policy, each]) => addUp(policy, each, raw)),
    bound: addUp('bound', bounds, raw),
  }
}

function addUp(
  policy: string,
  costs: readonly SessionCost[],
  raw: readonly SessionCost[],
): Compared {
  const total = (figure: (cost: SessionCost) => number, of = costs) =>
    of.reduce((all, cost) => all + figure(cost), 0)
  const share = (one: number, whole: number): number => (whole === 0 ? 1 : one / whole)
  return {
    policy,
    tokens_sent: total((cost) => cost.tokens_sent),
    uncached: total((cost) => cost.uncached),
    cached: total((cost) => cost.cached),
    share_of_raw: share(
      total((cost) => cost.cached),
      total((cost) => cost.cached, raw),
    ),
    worst_session: costs.reduce(
      (worst, { cached }, index) => Math.max(worst, share(cached, raw[index]?.cached ?? 0)),
      0,
    ),
    masked: total((cost) => cost.masked),
    rewrites: total((cost) => cost.rewrites),
  }
}
