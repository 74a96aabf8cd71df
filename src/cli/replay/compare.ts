import { LARGE_OUTPUT_BYTES } from '../../domain/mission/large-output.ts'
import { prices as priceTable } from '../../domain/mission/prices.ts'
import { DEFAULT_THRESHOLDS } from '../../domain/mission/thresholds.ts'
import { parseUsage } from '../../domain/meter/usage.ts'
import { windowOfModel } from '../../domain/meter/window.ts'
import type { CountTokens } from '../../domain/tokens.ts'
import { sessionCost, sum } from './cost-model.ts'
import type { Policy, Session as CountedSession } from './cost-model.ts'
import { always, anthropic, breakEven, lastTen, percent, raw } from './policies.ts'
import { grouped } from './report.ts'
import { segmentsOf } from './segments.ts'
import type { Session } from './session.ts'

export const POLICIES = ['percent', 'always', 'break_even', 'anthropic', 'last-10'] as const
export type PolicyName = (typeof POLICIES)[number]

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
  readonly masked: number
  readonly rewrites: number
}

export interface Comparison {
  readonly file: string
  readonly keep: number
  readonly calls: number
  readonly results: number
  /** Raw first, then the policies, and last the bound: masking without losing the cache. */
  readonly rows: readonly Compared[]
}

/**
 * Compares policies on recorded sessions, from counted tokens alone. `anthropic` and `last-10` are
 * what others do, the former with our `keep`; they are here to compare with and are not in the Worker.
 */
export function compare(
  file: string,
  sessions: readonly Session[],
  names: readonly PolicyName[],
  options: { readonly keep?: number | undefined; readonly window?: number | undefined },
  count: CountTokens,
): Comparison {
  const keep = options.keep ?? 3
  const counted = sessions.map((session) => ({ session, segments: segmentsOf(session, count) }))
  const row = (name: string, make: (session: Session, segments: CountedSession) => Policy) =>
    addUp(
      name,
      counted.map(({ session, segments }) =>
        sessionCost(segments, make(session, segments), priceTable.parse({}), {
          free: name === 'bound',
        }),
      ),
    )
  const rows = [
    row('raw', raw),
    ...names.map((name) =>
      row(name, (session, segments) => policyOf(name, keep, session, segments, options.window)),
    ),
    row('bound', () => always(keep)),
  ]
  const whole = rows[0]?.cached ?? 0
  return {
    file,
    keep,
    calls: counted.reduce((calls, { segments }) => calls + segments.calls.length, 0),
    results: sessions.reduce((results, session) => results + session.results, 0),
    rows: rows.map((one) => ({ ...one, share_of_raw: whole === 0 ? 1 : one.cached / whole })),
  }
}

/** The comparison as a table, the bound in its last row. */
export function comparisonTable({ file, keep, calls, results, rows }: Comparison): string {
  const line = (cells: readonly string[]): string =>
    `  ${(cells[0] ?? '').padEnd(12)}${cells
      .slice(1)
      .map((cell) => cell.padStart(14))
      .join('')}`
  return [
    `Policies on ${file}, ${grouped(calls)} calls, ${grouped(results)} outputs, keep ${keep}`,
    '',
    line(['', 'tokens sent', 'cost uncached', 'cost cached', 'of raw', 'masked', 'rewrites']),
    ...rows.map(({ policy, tokens_sent, uncached, cached, share_of_raw, masked, rewrites }) =>
      line([
        policy,
        grouped(tokens_sent),
        grouped(uncached),
        grouped(cached),
        share_of_raw.toFixed(3),
        grouped(masked),
        grouped(rewrites),
      ]),
    ),
    '',
    'Counted, not sent. A cost of 1 is one uncached input token (read 0.1, written 1.25); "bound" is',
    'masking everything eligible at once and for free, which no policy can beat.\n',
  ].join('\n')
}

type Costs = readonly ReturnType<typeof sessionCost>[]

function addUp(policy: string, costs: Costs): Omit<Compared, 'share_of_raw'> {
  const total = (figure: (cost: Costs[number]) => number) =>
    costs.reduce((all, cost) => all + figure(cost), 0)
  return {
    policy,
    tokens_sent: total((cost) => cost.tokens_sent),
    uncached: total((cost) => cost.uncached),
    cached: total((cost) => cost.cached),
    masked: total((cost) => cost.masked),
    rewrites: total((cost) => cost.rewrites),
  }
}

function policyOf(
  name: PolicyName,
  keep: number,
  session: Session,
  segments: CountedSession,
  window: number | undefined,
): Policy {
  switch (name) {
    case 'always':
      return always(keep)
    case 'break_even':
      return breakEven(keep, priceTable.parse({}))
    case 'anthropic':
      return anthropic(keep)
    case 'last-10':
      return lastTen()
    case 'percent':
      return percent({
        keep,
        window_tokens: window ?? windowOfModel(session.model ?? '') ?? ASSUMED_WINDOW,
        trigger_percent: DEFAULT_THRESHOLDS.red,
        target_percent: DEFAULT_THRESHOLDS.amber,
        min_bytes: LARGE_OUTPUT_BYTES,
        ratio: ratioOf(session, segments),
      })
  }
}

/** Provider tokens per counted token at the last call that the provider counted; else 1. */
function ratioOf(session: Session, { segments, calls }: CountedSession): number {
  const last = session.calls.findLastIndex((end) => session.usage.has(end))
  const end = session.calls[last]
  const usage = end === undefined ? null : parseUsage(session.usage.get(end))
  const tokens = segments.map((segment) => segment.tokens)
  const counted = sum(tokens, 0, calls[last] ?? 0)
  return usage?.ok === true && counted > 0 ? usage.value.prompt_tokens / counted : 1
}
