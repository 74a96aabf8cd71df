/**
 * The lines of masking-log.md and summarization-log.md, in exactly the seed's form (outcome signals).
 * Every value in them is a number or a time, so nothing that an agent sends can forge a line.
 */
export const maskingLine = (at: string, masked: number, percent: number | null): string =>
  `[${at}] masked ${masked} outputs, new context %: ${shown(percent)}`

export const summaryLine = (
  at: string,
  turns: { readonly from: number; readonly to: number },
  saved_tokens: number,
  percent: number | null,
): string =>
  `[${at}] summarized turns ${turns.from}-${turns.to}, saved ${saved_tokens} tokens, new context %: ${shown(percent)}`

/** A percentage with two decimals, as the meter shows it, so that a line can be recomputed. */
export const roundPercent = (percent: number): number => Math.round(percent * 100) / 100

const shown = (percent: number | null): string =>
  percent === null ? 'unknown' : String(roundPercent(percent))
