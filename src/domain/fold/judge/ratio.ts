import type { Verdict, Warning } from '../checks/verdict.ts'

/** tokens(fold) ÷ tokens(locate trajectory): the seed's telemetry. */
export const FOLD_RATIO_TARGET = 0.1

/** Above it the fold's trajectory "collected too much" (the seed, "Telemetry"). */
export const FOLD_RATIO_ALARM = 0.2

/** The ratio, or null where one of the counts is not known. */
export const foldRatio = (
  foldTokens: number | null,
  trajectoryTokens: number | undefined,
): number | null =>
  foldTokens === null || trajectoryTokens === undefined || trajectoryTokens <= 0
    ? null
    : foldTokens / trajectoryTokens

/** A verdict with the ratio of its fold, and what is to be said of it; as it is where none is known. */
export function withRatio(verdict: Verdict, trajectoryTokens: number | undefined): Verdict {
  const fold_ratio = foldRatio(verdict.tokens.fold, trajectoryTokens)
  if (fold_ratio === null) return verdict
  const warnings = [...verdict.warnings, ...ratioWarnings(fold_ratio)]
  return { ...verdict, warnings, fold_ratio }
}

function ratioWarnings(ratio: number): readonly Warning[] {
  if (ratio <= FOLD_RATIO_TARGET) return []
  return [
    ratio > FOLD_RATIO_ALARM
      ? {
          code: 'fold_ratio_over_alarm',
          message: `fold_ratio is above ${FOLD_RATIO_ALARM}: the Locate phase probably read too much.`,
        }
      : {
          code: 'fold_ratio_over_target',
          message: `fold_ratio is above its target of ${FOLD_RATIO_TARGET}.`,
        },
  ]
}
