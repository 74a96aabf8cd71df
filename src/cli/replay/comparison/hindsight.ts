import type { Prices } from '../../../domain/mission/prices.ts'
import type { CountedSession, Schedule, SegmentMask } from './cost-model.ts'

/**
 * The cheapest of all choices of the calls before which everything eligible is masked, known only once
 * the session is over. `eager` masks it before every call, in transcript order. Dynamic programming
 * over the last call that masked, by which the cost of all later ones is settled: O(calls²).
 */
export function hindsight(session: CountedSession, eager: Schedule, prices: Prices): Schedule {
  const masks = eager.flat()
  const choose = cheapest(stagesOf(session, eager), pricing(session, masks, prices))
  return session.calls.map((_, call) => {
    const chosen = choose.get(call)
    return chosen === undefined ? [] : masks.slice(chosen.from, chosen.to)
  })
}

/** What a call finds: how many results are masked once it masks, and how many of them were cached. */
interface Stage {
  readonly masked: number
  readonly cached: number
}

/** The masks, by their place in `eager`, that a call makes. */
interface Chosen {
  readonly from: number
  readonly to: number
}

interface Pricing {
  /** What masking at a call costs beyond its reads, the first `from` results being masked before. */
  rewrite(call: number, from: number, stage: Stage): number
  /** What the first `masked` results save a call by being read as placeholders. */
  saved(masked: number): number
}

function cheapest(stages: readonly Stage[], price: Pricing): ReadonlyMap<number, Chosen> {
  // For each call: the least that masking there can come to by then, and what was masked last before.
  const least: number[] = []
  const last: number[] = []
  const masked = (call: number): number => stages[call]?.masked ?? 0
  // Costs are relative to raw; -1 stands for no mask so far.
  const until = (mask: number, call: number): number =>
    mask === -1 ? 0 : (least[mask] ?? 0) - price.saved(masked(mask)) * (call - mask)
  for (const [call, stage] of stages.entries()) {
    let best = Infinity
    for (let before = -1; before < call; before++) {
      const cost = until(before, call) + price.rewrite(call, masked(before), stage)
      if (cost >= best) continue
      best = cost
      last[call] = before
    }
    least.push(best)
  }
  let end = -1
  for (const call of stages.keys())
    if (until(call, stages.length) < until(end, stages.length)) end = call
  const chosen = new Map<number, Chosen>()
  for (let call = end; call !== -1; call = last[call] ?? -1)
    chosen.set(call, { from: masked(last[call] ?? -1), to: masked(call) })
  return chosen
}

function stagesOf({ calls }: CountedSession, eager: Schedule): readonly Stage[] {
  const places = eager.flat().map(({ segment }) => segment)
  let masked = 0
  let cached = 0
  return calls.map((_, call) => {
    masked += eager[call]?.length ?? 0
    const sent = calls[call - 1] ?? 0
    while (cached < masked && (places[cached] ?? 0) < sent) cached += 1
    return { masked, cached }
  })
}

function pricing(
  { calls, segments }: CountedSession,
  masks: readonly SegmentMask[],
  { cache_read, cache_write }: Prices,
): Pricing {
  const tokens = sums(segments.map((segment) => segment.tokens))
  const savings = sums(masks.map((mask) => (segments[mask.segment]?.tokens ?? 0) - mask.tokens))
  const at = (list: readonly number[], index: number): number => list[index] ?? 0
  const dearer = cache_write - cache_read
  return {
    saved: (masked) => cache_read * at(savings, masked),
    rewrite(call, from, { cached, masked }) {
      const sent = calls[call - 1] ?? 0
      const first = masks[from]?.segment ?? sent
      const stale =
        from < cached
          ? at(tokens, sent) - at(tokens, first) - (at(savings, cached) - at(savings, from))
          : 0
      // What was never sent before is not read as a placeholder but written as one.
      const fresh = at(savings, masked) - at(savings, cached)
      return dearer * (stale - fresh)
    },
  }
}

/** The sums of the first 0, 1, … all numbers. */
function sums(numbers: readonly number[]): readonly number[] {
  const all = [0]
  let total = 0
  for (const number of numbers) all.push((total += number))
  return all
}
