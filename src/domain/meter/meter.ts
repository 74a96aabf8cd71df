import type { Failure } from '../failure.ts'
import { failure } from '../failure.ts'
import { DEFAULT_THRESHOLDS } from '../mission/thresholds.ts'
import type { Thresholds } from '../mission/thresholds.ts'
import type { Result } from '../result.ts'
import { err, ok } from '../result.ts'
import { type Calibration, calibrate } from './calibration.ts'
import type { CallUsage } from './usage.ts'
import { windowMissing } from './window.ts'

export type Method = 'host' | 'usage' | 'counted' | 'estimated'
export type Zone = 'green' | 'amber' | 'red' | 'critical'

/** How full the context is: percent of the window, shown beyond 100 too; tokens where known. */
export interface Reading {
  readonly percent: number
  readonly tokens: number | null
  readonly window_tokens: number | null
  readonly method: Method
  /** The percentages between which the truth lies. */
  readonly band: readonly [low: number, high: number]
  readonly zone: Zone
}

/** What a report may carry; several at once are ranked, not averaged. */
export interface Report {
  readonly used_percentage?: number | undefined
  readonly usage?: CallUsage | undefined
  /** Our o200k count of the request, tools, system and images included. */
  readonly counted?: number | undefined
  readonly characters?: number | undefined
}

interface Scale {
  /** Null only where a host's own percentage makes it dispensable. */
  readonly window_tokens: number | null
  readonly thresholds?: Thresholds | undefined
  readonly calibration?: Calibration | null | undefined
}

/**
 * Reads the meter: the host's percentage, else the last call's prompt tokens (what it answered is in
 * the next call's), else the calibrated count, else characters ÷ 3.5 (seed). `invalid_input` where the
 * report carries none of them, `window_unknown` where tokens can't be set against a window.
 */
export function readMeter(report: Report, scale: Scale): Result<Reading, Failure> {
  const measured = measure(report, scale.calibration ?? null)
  const { window_tokens } = scale
  if (report.used_percentage !== undefined) {
    const percent = rounded(report.used_percentage)
    const tokens = measured === null || measured.method === 'estimated' ? null : measured.tokens
    return ok(
      reading({ percent, tokens, window_tokens, method: 'host', band: [percent, percent] }, scale),
    )
  }
  if (measured === null)
    return err(
      failure('invalid_input', {
        detail: 'A report carries used_percentage, usage, request or characters.',
        errors: [{ pointer: '', detail: 'none of the four is there' }],
      }),
    )
  if (window_tokens === null) return err(windowMissing())
  const share = (tokens: number): number => rounded((100 * tokens) / window_tokens)
  const { tokens, method } = measured
  const band = [share(measured.low), share(measured.high)] as const
  return ok(reading({ percent: share(tokens), tokens, window_tokens, method, band }, scale))
}

/** The zone of a percentage; a threshold belongs to the zone that it opens. */
export function zoneOf(percent: number, thresholds: Thresholds = DEFAULT_THRESHOLDS): Zone {
  if (percent >= thresholds.critical) return 'critical'
  if (percent >= thresholds.red) return 'red'
  return percent >= thresholds.amber ? 'amber' : 'green'
}

interface Measured {
  readonly tokens: number
  readonly low: number
  readonly high: number
  readonly method: Method
}

function measure(report: Report, calibration: Calibration | null): Measured | null {
  if (report.usage !== undefined) {
    const tokens = report.usage.prompt_tokens
    return { tokens, low: tokens, high: tokens, method: 'usage' }
  }
  if (report.counted !== undefined)
    return { ...calibrate(calibration, report.counted), method: 'counted' }
  if (report.characters === undefined) return null
  // The seed: one token is 3 to 4 characters, so divide by 3.5.
  return {
    tokens: Math.round(report.characters / 3.5),
    low: report.characters / 4,
    high: report.characters / 3,
    method: 'estimated',
  }
}

const reading = (known: Omit<Reading, 'zone'>, scale: Scale): Reading => ({
  ...known,
  zone: zoneOf(known.percent, scale.thresholds),
})

/** Two decimals, so that what is shown and what is judged are the same number. */
const rounded = (percent: number): number => Math.round(percent * 100) / 100
