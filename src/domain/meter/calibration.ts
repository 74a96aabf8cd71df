/**
 * What the provider's own counts have taught about ours. Claude has no public tokenizer, so a count
 * becomes true by it: the last report is the anchor, and what came or went since then is priced at
 * the ratio learned from earlier growth. JSON, kept in the mission's state.
 */
export interface Calibration {
  /** The o200k count and the provider's count of the last report. */
  readonly counted: number
  readonly actual: number
  /** Decayed sums over the steps between reports: our tokens, theirs, and how far off we were. */
  readonly counted_growth: number
  readonly actual_growth: number
  readonly error_growth: number
}

interface CalibratedCount {
  readonly tokens: number
  readonly low: number
  readonly high: number
}

// A step weighs 0.7 as much once the next one is learned, so about the last seven decide.
const DECAY = 0.7
// No tokenizer is further from o200k on real text; a step beyond is a tool list or a system prompt
// that came or went, which moves the anchor and teaches nothing about the ratio.
const LOWEST_RATIO = 0.5
const HIGHEST_RATIO = 3
// Below this a request is mostly what we do not see of it: the provider's frame around the messages.
const TELLING_TOKENS = 4_000
const FRAME_TOKENS = 20
/**
 * Before any report: Claude's tokenizers count 3 to 17 % more than o200k, those since Opus 4.7 about
 * 30 % on top (platform.claude.com, What's new in Claude Sonnet 5), OpenAI's are o200k itself.
 */
const UNCALIBRATED = { low: 1, high: 1.5 }

/** Learns from a report that carries both a request (counted by us) and its usage (`actual`). */
export function learn(
  before: Calibration | null,
  report: { readonly counted: number; readonly actual: number },
): Calibration {
  const { counted, actual } = report
  if (before === null)
    return { counted, actual, counted_growth: 0, actual_growth: 0, error_growth: 0 }
  const direction = Math.sign(counted - before.counted)
  const counted_step = Math.abs(counted - before.counted)
  const actual_step = (actual - before.actual) * direction
  const ratio = actual_step / counted_step
  const anchored = { ...before, counted, actual }
  // Masking makes both counts drop: a step down teaches as well as a step up.
  if (counted_step === 0 || ratio < LOWEST_RATIO || ratio > HIGHEST_RATIO) return anchored
  const error = Math.abs(actual_step - ratioOf(before) * counted_step)
  return {
    ...anchored,
    counted_growth: DECAY * before.counted_growth + counted_step,
    actual_growth: DECAY * before.actual_growth + actual_step,
    error_growth: DECAY * before.error_growth + error,
  }
}

/** What the provider would say of a request that we count as `counted` tokens, with a band. */
export function calibrate(calibration: Calibration | null, counted: number): CalibratedCount {
  if (calibration === null)
    return { tokens: counted, low: counted * UNCALIBRATED.low, high: counted * UNCALIBRATED.high }
  const step = counted - calibration.counted
  const tokens = Math.max(0, Math.round(calibration.actual + ratioOf(calibration) * step))
  const spread = FRAME_TOKENS + spreadOf(calibration) * Math.abs(step)
  return { tokens, low: Math.max(0, tokens - spread), high: tokens + spread }
}

/**
 * Moves the anchor without teaching the ratio: for a host's own percentage, which is too coarse to
 * learn a growth from.
 */
export const reanchor = (
  before: Calibration | null,
  report: { readonly counted: number; readonly actual: number },
): Calibration => ({ ...(before ?? learn(null, report)), ...report })

/** True tokens per token that we count, for what comes or goes from here on; 1 before any report. */
export const growthRatio = (calibration: Calibration | null): number =>
  calibration === null ? 1 : ratioOf(calibration)

/** Until a step was learned, the first report's own ratio where it is of more than a greeting. */
function ratioOf(calibration: Calibration): number {
  if (calibration.counted_growth > 0) return calibration.actual_growth / calibration.counted_growth
  if (calibration.counted < TELLING_TOKENS) return 1
  return Math.min(1.5, Math.max(0.8, calibration.actual / calibration.counted))
}

/** Four times the mean error per counted token; before anything was learned, half of the step. */
function spreadOf(calibration: Calibration): number {
  if (calibration.counted_growth === 0) return 0.5
  return Math.max(0.05, (4 * calibration.error_growth) / calibration.counted_growth)
}
