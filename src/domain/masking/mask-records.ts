import type { Find, RecordWrite } from '../mission/record.ts'
import { maskKey } from './recognise.ts'
import type { MaskRecord } from './recognise.ts'
import type { MaskingRecords } from './records.ts'

/**
 * One record a (call, tool, ref), with every occurrence that was masked under it; and the index of the
 * first mask that is a new one, or null.
 */
export function recorded(
  masks: readonly MaskRecord[],
  at: string,
  find: Find<MaskingRecords>,
): {
  readonly records: readonly RecordWrite<MaskingRecords, 'masked'>[]
  readonly first: number | null
} {
  const occurrences = new Map<string, Map<number, MaskRecord>>()
  for (const mask of masks) occurrences.set(maskKey(mask), new Map())
  for (const { body, key } of find('masked', [...occurrences.keys()]))
    for (const mask of body) occurrences.get(key)?.set(mask.occurrence, mask)
  const first = masks.findIndex(
    (mask) => occurrences.get(maskKey(mask))?.has(mask.occurrence) !== true,
  )
  for (const mask of masks) occurrences.get(maskKey(mask))?.set(mask.occurrence, mask)
  const records = [...occurrences].map(([key, group]) => ({
    kind: 'masked' as const,
    key,
    at,
    body: [...group.values()],
  }))
  return { records, first: first === -1 ? null : first }
}
