import { maskingLine } from '../log/line.ts'
import type { MaskingItem } from '../log/row.ts'

/** One masking run, as it was logged. */
export interface MaskingEntry {
  readonly id: string
  readonly at: string
  readonly line: string
  readonly masked: number
  readonly percent: number | null
  readonly items: readonly MaskingItem[]
}

/** The log entry of a run; it is the answer where no object keeps it. */
export function maskingEntry(
  run: { readonly id: string; readonly items: readonly MaskingItem[] },
  at: string,
  percent: number | null,
): MaskingEntry {
  const masked = run.items.filter((item) => item.decision === 'masked').length
  const line = maskingLine(at, masked, percent)
  // SQLite would turn half a surrogate pair into three other characters: log and copy stay equal.
  const items = run.items.map((item) => ({
    ...item,
    pointer: item.pointer.toWellFormed(),
    call_id: item.call_id.toWellFormed(),
  }))
  return { id: run.id, at, line, masked, percent, items }
}
