import type { HasContext } from '../context/context-state.ts'
import type { TurnRange } from '../context/eligible.ts'
import type { ContextRecords } from '../context/records.ts'
import { sampleRecord } from '../context/report/sample.ts'
import type { Failure } from '../failure.ts'
import { summaryLine } from '../log/line.ts'
import { readMeter } from '../meter/meter.ts'
import { scaleOf } from '../meter/scale.ts'
import type { Core } from '../mission/core.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { refusedSummary, withSummary } from './entries/summary.ts'
import type { MemoryRecords, SummaryEntry } from './records.ts'

/** One paragraph in place of old reasoning turns, as its writer reports it. */
export interface Summary {
  readonly id: string
  readonly turns: TurnRange
  readonly text: string
  /** Of the text, o200k_base. */
  readonly tokens: number
  readonly saved_tokens: number
  readonly context_percent: number
}

/**
 * Takes a summary, unless its turns may not be summarized as they stand now: of two writers at once,
 * one wins. The percentage that it left becomes the mission's reading.
 */
export function writeSummary<S extends Core & HasContext>(
  state: S,
  summary: Summary,
  at: string,
): Result<Step<S, ContextRecords & MemoryRecords>, Failure> {
  const { context } = state
  const { summarised } = context
  const refused = refusedSummary(summary, { turns: context.turns, summarised })
  if (refused !== null) return err(refused)
  const used_percentage = summary.context_percent
  const reading = readMeter({ used_percentage }, scaleOf(state.settings))
  if (!reading.ok) return reading
  const { id, saved_tokens, text, tokens, turns } = summary
  const percent = reading.value.percent
  const line = summaryLine(at, turns, saved_tokens, percent)
  const logged = { id, at, line, saved_tokens, percent }
  const entry: SummaryEntry = { ...logged, turns, tokens, text, context: context.number }
  const { mission, tenant } = state
  const row = { tenant, mission, ...logged, turn_from: turns.from, turn_to: turns.to }
  return ok({
    state: {
      ...state,
      context: {
        ...context,
        reading: { ...reading.value, at },
        summarised: withSummary(summarised, turns),
        condensed: 'begun',
        unread: { ...context.unread, turns: context.unread.turns + turns.to - turns.from + 1 },
      },
    },
    records: [
      { kind: 'summary', key: id, at, body: entry },
      sampleRecord(reading.value, 'summary', at, state.version + 1),
    ],
    outbox: [{ table: 'summaries', ...row }],
  })
}
