import { eligibleRanges, isEligible, RANGE_TURNS, RECENT_TURNS } from '../../context/eligible.ts'
import type { TurnRange } from '../../context/eligible.ts'
import { failure } from '../../failure.ts'
import type { Failure } from '../../failure.ts'

/** Seed step 5: one paragraph of about 100 to 150 tokens (o200k_base). */
export const SUMMARY_TOKENS = { least: 100, most: 150 } as const

interface SummaryClaim {
  readonly turns: TurnRange
  /** Of the summary's text. */
  readonly tokens: number
}

/**
 * Whether a summary may replace its turns, given how many turns there are and which are summarized
 * already: `range_not_eligible`, `resummarization_refused` (also where it only overlaps a summary) or
 * `summary_out_of_range`, each with the ranges that are eligible now.
 */
export function refusedSummary(
  { turns, tokens }: SummaryClaim,
  session: { readonly turns: number; readonly summarised: readonly TurnRange[] },
): Failure | null {
  const members = { eligible: eligibleRanges(session.turns, session.summarised) }
  const errors = [{ pointer: '/turns', detail: `turns ${shown(turns)}` }]
  switch (isEligible(turns, session.turns, session.summarised)) {
    case 'wrong_length': {
      const detail = `Turns ${shown(turns)} are not ${RANGE_TURNS.least} to ${RANGE_TURNS.most} turns.`
      return failure('range_not_eligible', { detail, errors, members })
    }
    case 'summarised': {
      const within = session.summarised.filter(
        (range) => range.from <= turns.to && turns.from <= range.to,
      )
      const detail = `Turns ${shown(turns)} overlap turns ${within.map(shown).join(', ')}, summarized before.`
      return failure('resummarization_refused', { detail, errors, members })
    }
    case 'too_recent': {
      const detail =
        session.turns === 0
          ? 'No context report has said yet how many turns there are.'
          : `Turns ${shown(turns)} reach into the last ${RECENT_TURNS} of ${session.turns}.`
      return failure('range_not_eligible', { detail, errors, members })
    }
    case 'eligible':
      return tokens < SUMMARY_TOKENS.least || tokens > SUMMARY_TOKENS.most
        ? failure('summary_out_of_range', {
            detail: `${tokens} tokens`,
            errors: [{ pointer: '/text', detail: `${tokens} tokens` }],
            members: { tokens },
          })
        : null
  }
}

const MOST_RANGES = 200

/**
 * The summarized ranges with one more, sorted. Ranges with fewer than three turns between them become
 * one: nothing can be summarized there any more. So a session that follows the advice keeps a single
 * range, and one that does not still a bounded number, since the oldest gaps close.
 */
export function withSummary(
  summarised: readonly TurnRange[],
  range: TurnRange,
): readonly TurnRange[] {
  const merged: TurnRange[] = []
  const sorted = [...summarised, range].toSorted((one, other) => one.from - other.from)
  for (const [index, next] of sorted.entries()) {
    const last = merged.at(-1)
    const full = sorted.length - index + merged.length > MOST_RANGES
    if (last !== undefined && (full || next.from - last.to <= RANGE_TURNS.least))
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, next.to) }
    else merged.push(next)
  }
  return merged
}

const shown = ({ from, to }: TurnRange): string => `${from}-${to}`
