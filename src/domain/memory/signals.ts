import type { TurnRange } from '../context/eligible.ts'
import { LARGE_OUTPUT_BYTES } from '../mission/large-output.ts'
import { BULLETS } from './entries/extract.ts'

/** What a mission's records say, gathered for its outcome signals. */
export interface SignalFacts {
  /** Large outputs that were masked, and those of them that have an extract. */
  readonly masked: number
  readonly with_extract: number
  /** How many bullets each extract has. */
  readonly bullets: readonly number[]
  /** The times of the log lines, log by log, in the order of the lines. */
  readonly logs: readonly (readonly string[])[]
  readonly percent: number | null
  readonly amber: number
  readonly summaries: readonly { readonly turns: TurnRange; readonly context: number }[]
  /** Completed tasks, the present one among them, and those that left a breadcrumb. */
  readonly completed: number
  readonly with_breadcrumb: number
  readonly contexts: number
  /** The present context is a completed task's. */
  readonly waiting: boolean
}

/** One of the seed's outcome signals, with the figures that it was judged by. */
interface Signal {
  readonly id: string
  readonly holds: boolean
  readonly figures: Readonly<Record<string, number | null>>
  readonly detail: string
}

/** The seed's outcome signals; what has not happened yet does not fail. */
export const signals = (facts: SignalFacts): readonly Signal[] => [
  extractsKept(facts),
  bulletsInRange(facts),
  logsInOrder(facts),
  relieved(facts),
  noSummaryOfSummary(facts),
  breadcrumbsLeft(facts),
  switched(facts),
]

const extractsKept = ({ masked, with_extract }: SignalFacts): Signal => ({
  id: 'one_extract_per_masked_output',
  holds: with_extract === masked,
  figures: { masked, with_extract },
  detail: `${with_extract} of ${masked} masked outputs of ${LARGE_OUTPUT_BYTES / 1024} KB and more have an extract.`,
})

function bulletsInRange({ bullets }: SignalFacts): Signal {
  const fewest = bullets.length === 0 ? null : bullets.reduce((a, b) => Math.min(a, b))
  const most = bullets.length === 0 ? null : bullets.reduce((a, b) => Math.max(a, b))
  const { least } = BULLETS
  return {
    id: 'three_to_five_bullets_each',
    holds: (fewest ?? least) >= least && (most ?? least) <= BULLETS.most,
    figures: { extracts: bullets.length, fewest, most },
    detail: `${bullets.length} extracts have ${fewest ?? 'no'} to ${most ?? 'no'} bullets.`,
  }
}

function logsInOrder({ logs }: SignalFacts): Signal {
  const lines = logs.reduce((sum, log) => sum + log.length, 0)
  const late = logs.reduce(
    (sum, log) => sum + log.filter((at, index) => at < (log[index - 1] ?? '')).length,
    0,
  )
  return {
    id: 'logs_chronological',
    holds: late === 0,
    figures: { lines, out_of_order: late },
    detail: `${late} of ${lines} log lines stand behind a later one.`,
  }
}

const relieved = ({ amber, percent }: SignalFacts): Signal => ({
  id: 'back_under_amber',
  holds: (percent ?? 0) < amber,
  figures: { percent, amber },
  detail:
    percent === null
      ? 'No context was reported yet.'
      : `The context is at ${percent} % of ${amber} %.`,
})

function noSummaryOfSummary({ summaries }: SignalFacts): Signal {
  const ordered = summaries.toSorted(
    (one, other) => one.context - other.context || one.turns.from - other.turns.from,
  )
  const overlapping = ordered.filter(({ context, turns }, index) => {
    const before = ordered[index - 1]
    return before?.context === context && before.turns.to >= turns.from
  }).length
  return {
    id: 'no_summary_of_a_summary',
    holds: overlapping === 0,
    figures: { summaries: summaries.length, overlapping },
    detail: `${overlapping} of ${summaries.length} summaries overlap another.`,
  }
}

const breadcrumbsLeft = ({ completed, with_breadcrumb }: SignalFacts): Signal => ({
  id: 'breadcrumb_at_completion',
  holds: with_breadcrumb === completed,
  figures: { completed, with_breadcrumb },
  detail: `${with_breadcrumb} of ${completed} completed tasks left a breadcrumb.`,
})

const switched = ({ contexts, waiting }: SignalFacts): Signal => ({
  id: 'context_switched',
  holds: !waiting,
  figures: { contexts, waiting: waiting ? 1 : 0 },
  detail: waiting
    ? 'The task is complete and its context is still there: switch.'
    : `The mission is in context ${contexts} and none is waiting to be switched.`,
})
