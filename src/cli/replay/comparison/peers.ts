import type { CountedSession, Schedule, SegmentMask } from './cost-model.ts'

/**
 * Anthropic's clear_tool_uses_20250919 as it is by default (docs.claude.com, "Context editing"): once
 * the prompt has 100,000 input tokens, all tool results but the last 3 are cleared. The client keeps
 * and sends the whole history, so the trigger sees it uncleared and every later call clears more.
 */
export const anthropic = (
  session: CountedSession,
  keep: number,
  trigger_tokens = 100_000,
): Schedule => clearOld(session, keep, 5, (tokens) => tokens >= trigger_tokens)

/**
 * SWE-agent's last_n_observations and The Complexity Trap's window: before every call each
 * observation but the last 10 is `Old environment output: (12 lines omitted)`.
 */
export const lastTen = (session: CountedSession, keep = 10): Schedule =>
  clearOld(session, keep, 10, () => true)

/** Clears all results but the last ones wherever a raw prompt of so many tokens asks for it. */
function clearOld(
  { calls, segments }: CountedSession,
  keep: number,
  placeholder_tokens: number,
  clears: (raw_tokens: number) => boolean,
): Schedule {
  const results: number[] = []
  let raw = 0
  let seen = 0
  let cleared = 0
  return calls.map((sent) => {
    for (; seen < sent; seen++) {
      raw += segments[seen]?.tokens ?? 0
      if (segments[seen]?.result !== undefined) results.push(seen)
    }
    if (!clears(raw)) return []
    const old = results.slice(cleared, Math.max(cleared, results.length - keep))
    cleared += old.length
    return old.map((segment): SegmentMask => ({ segment, tokens: placeholder_tokens }))
  })
}
