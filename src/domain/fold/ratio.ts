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
