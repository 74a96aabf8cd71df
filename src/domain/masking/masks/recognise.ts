import { singleCalls } from '../../transcript/calls.ts'
import type { ToolResult } from '../../transcript/lens.ts'
import { maskKey, ownMaskKey } from './mask-record.ts'
import type { MaskRecord } from './mask-record.ts'
import { parsePlaceholder, placeholderTool, type Placeholder } from './placeholder.ts'

/** Masked results of a transcript, by pointer. */
export type Recognised = ReadonlyMap<string, MaskRecord>

/** The keys under which the records of the placeholders of a transcript stand. */
export function placeholderKeys(results: readonly ToolResult[]): readonly string[] {
  const keys = new Set<string>()
  const single = singleCalls(results)
  for (const result of results) {
    const placeholder = placeholderOf(result)
    if (placeholder === null) continue
    const { ref, tool } = placeholder
    const mask = { call_id: result.call_id, tool, ref }
    keys.add(maskKey(mask))
    if (!single.has(mask.call_id)) keys.add(ownMaskKey(mask))
  }
  return [...keys]
}

/**
 * Which results are placeholders that this mission wrote. A text counts when it is the placeholder
 * that its record would give, and a record for the call, tool and ref exists. Where more texts
 * claim a key than were masked under it, only those at the recorded occurrences count: the others
 * are genuine outputs that look like placeholders.
 */
export function recognise(
  results: readonly ToolResult[],
  records: Iterable<MaskRecord>,
): Recognised {
  const recorded = groupRecords(records)
  const claims = new Map<string, Claim[]>()
  for (const result of results) {
    const placeholder = placeholderOf(result)
    if (placeholder === null) continue
    const key = keyOf(result, placeholder)
    const group = recorded.get(key) ?? []
    const agreeing = group.filter(
      (record) => record.refused === undefined && agrees(placeholder, result.text, record),
    )
    if (agreeing.length > 0) push(claims, key, { result, agreeing })
  }
  const recognised = new Map<string, MaskRecord>()
  for (const [key, claim] of claims) {
    const masked = new Set(recorded.get(key)?.map((record) => record.occurrence))
    // A client may have dropped old messages, which moves occurrences: then all texts are ours.
    const allOurs = claim.length <= masked.size
    for (const { result, agreeing } of claim) {
      const exact = agreeing.find((record) => record.occurrence === result.occurrence)
      const record = exact ?? (allOurs ? agreeing[0] : undefined)
      if (record !== undefined) recognised.set(result.pointer, record)
    }
  }
  return recognised
}

/** The placeholder that stands in a result, whoever wrote it, or null. */
export function placeholderOf(result: ToolResult): Placeholder | null {
  const placeholder = result.text === null ? null : parsePlaceholder(result.text)
  return placeholder?.tool === placeholderTool(result.tool) ? placeholder : null
}

const keyOf = ({ call_id }: ToolResult, { ref, tool }: Placeholder): string =>
  ownMaskKey({ call_id, tool, ref })

function agrees(placeholder: Placeholder, text: string | null, record: MaskRecord): boolean {
  if (placeholder.ref === null) return record.ref === null
  return (
    placeholder.form === record.form &&
    placeholder.is_error === record.is_error &&
    (placeholder.extract === null || text === record.placeholder)
  )
}

interface Claim {
  readonly result: ToolResult
  readonly agreeing: readonly MaskRecord[]
}

function groupRecords(records: Iterable<MaskRecord>): Map<string, MaskRecord[]> {
  const groups = new Map<string, MaskRecord[]>()
  for (const record of records) push(groups, ownMaskKey(record), record)
  return groups
}

function push<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
