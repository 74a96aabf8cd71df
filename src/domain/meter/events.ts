import type { Failure } from '../failure.ts'
import { policyOf } from '../masking/mission-policy.ts'
import { seenIn } from '../masking/seen.ts'
import { beginContext, isFreshContext } from '../memory/context.ts'
import type { RecordWrite } from '../mission/record.ts'
import type { MissionSettings } from '../mission/settings.ts'
import type { MissionState } from '../mission/state.ts'
import type { Step } from '../mission/step.ts'
import { err, ok } from '../result.ts'
import type { Result } from '../result.ts'
import { learn } from './calibration.ts'
import type { Calibration } from './calibration.ts'
import { readMeter } from './meter.ts'
import type { Method, Reading, Report, Zone } from './meter.ts'
import { windowTokens } from './window.ts'

/** A tool result of 2 KB and more that no extract keeps yet (seed step 1). */
export interface ExtractDue {
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  readonly bytes: number
  /** So large a part of the window that it should be extracted at once. */
  readonly urgent?: boolean
}

/** One point of the context curve. */
export interface Sample {
  readonly at: string
  readonly percent: number
  readonly tokens: number | null
  readonly method: Method
  readonly zone: Zone
  readonly cause: string
}

/** What the meter of a mission knows. */
export interface MeterState {
  readonly reading: (Reading & { readonly at: string }) | null
  readonly calibration: Calibration | null
  /** Assistant turns of the transcript that was last seen. */
  readonly turns: number
  /** How many tool results a mask would replace now. */
  readonly maskable: number
  /** Outputs were masked in this context. */
  readonly after_masking: boolean
  /** The task was reported complete in this context. */
  readonly task_done: boolean
  readonly extracts_due: readonly ExtractDue[]
}

export const NO_METER: MeterState = {
  reading: null,
  calibration: null,
  turns: 0,
  maskable: 0,
  after_masking: false,
  task_done: false,
  extracts_due: [],
}

/** What a look at a transcript says of the mission, beside its tokens. */
export interface Seen {
  readonly turns: number
  readonly maskable: number
  readonly extracts_due: readonly ExtractDue[]
}

/** One tool output as a look at a transcript finds it: what any policy judges it by. */
export interface OutputSeen {
  readonly call_id: string
  readonly tool: string
  readonly turn: number
  /** The UTF-8 of all its texts. */
  readonly bytes: number
  /** It holds an image, whose source is long whatever its texts are. */
  readonly pictured: boolean
  readonly tokens: number
  /** How many outputs came after it. */
  readonly later: number
  /** The model has not spoken since. */
  readonly fresh: boolean
  readonly reads_back: boolean
  /** A mask may replace it, if the policy lets it. */
  readonly open: boolean
}

/** The turns of a transcript, and those of its outputs that can matter to a mask or an extract. */
export interface Look {
  readonly turns: number
  readonly outputs: readonly OutputSeen[]
}

/** The model and window that a call names: kept where the mission has none of its own. */
export interface Named {
  readonly model?: string | undefined
  readonly window_tokens?: number | undefined
}

export interface MeterEvent {
  readonly type: 'context_reported'
  readonly report: Report
  readonly named: Named
  readonly look: Look | null
  readonly turn: number | null
  readonly cause: string
  readonly task_complete: boolean
}

/**
 * A report becomes the mission's reading and a sample; one with usage and count also calibrates. A
 * caller's own number of the turn counts before the transcript's, which summaries make shorter.
 */
export function reduceMeter(
  before: MissionState,
  event: MeterEvent,
  at: string,
): Result<Step, Failure> {
  const { cause, look, report } = event
  const turns = event.turn ?? look?.turns ?? null
  const settings = withNamed(before.settings, event.named)
  const calibration =
    report.usage !== undefined && report.counted !== undefined
      ? learn(before.meter.calibration, {
          counted: report.counted,
          actual: report.usage.prompt_tokens,
        })
      : before.meter.calibration
  const scale = { ...scaleOf(settings, event.named), calibration }
  const reading = readMeter(report, scale)
  if (!reading.ok) return err(reading.error)
  const { percent } = reading.value
  const fresh = isFreshContext(before, { cause, turns, percent })
  const state = fresh ? beginContext(before) : before
  const meter: MeterState = {
    ...state.meter,
    ...(look && seenIn(look, policyOf(settings), state.masking, scale.window_tokens)),
    reading: { ...reading.value, at },
    calibration,
    turns: turns ?? state.meter.turns,
    task_done: event.task_complete,
  }
  const records = [sampleRecord(reading.value, cause, at, state.version + 1)]
  return ok({ state: { ...state, settings, meter }, records })
}

/** The window and thresholds that a mission's readings stand on; a window that a call names wins. */
export function scaleOf(settings: MissionSettings, named: Named = {}) {
  const window = windowTokens({
    model: named.model ?? settings.model,
    window_tokens: named.window_tokens ?? settings.window_tokens,
  })
  return { window_tokens: window.ok ? window.value : null, thresholds: settings.thresholds }
}

export const withNamed = (settings: MissionSettings, named: Named): MissionSettings => ({
  ...(named.model === undefined ? {} : { model: named.model }),
  ...(named.window_tokens === undefined ? {} : { window_tokens: named.window_tokens }),
  ...settings,
})

export function sampleRecord(
  reading: Reading,
  cause: string,
  at: string,
  version: number,
): RecordWrite {
  const { percent, tokens, method, zone } = reading
  const body: Sample = { at, percent, tokens, method, zone, cause }
  // The version makes the key: two samples of one millisecond are two samples.
  return { kind: 'sample', key: `${at} ${version}`, at, body }
}
