import type { Ref } from '../digest.ts'
import type { ToolResult } from '../transcript/lens.ts'
import { parsePlaceholder, placeholderTool, type Placeholder } from './placeholder.ts'

/** That this mission masked a result: what unmasking needs, and what tells ours from look-alikes. */
export interface MaskRecord {
  readonly call_id: string
  /** As the placeholder names it. */
  readonly tool: string
  /** Null where nothing was stored. */
  readonly ref: Ref | null
  readonly form: 'text' | 'json'
  readonly is_error: boolean
  /** How many results with this call id came before it when it was masked. */
  readonly occurrence: number
  readonly extract?: string | null
  /** Tokens that the mask saved, as we counted. */
  readonly saved_tokens?: number
}

/** Masked results of a transcript, by pointer. */
export type Recognised = ReadonlyMap<string, MaskRecord>

/**
 * What to look records up by: one key for all occurrences of (call, tool, ref). A record's own
 * identity is its key with its occurrence.
 */
export const maskKey = (record: Pick<MaskRecord, 'call_id' | 'tool' | 'ref'>): string =>
  JSON.stringify([record.call_id, record.tool, record.ref])

/** The keys under which records must be looked up before `recognise`. */
export function candidateKeys(results: readonly ToolResult[]): string[] {
  const keys = new Set<string>()
  for (const result of results) {
    const placeholder = placeholderOf(result)
    if (placeholder !== null) keys.add(keyOf(result, placeholder))
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
    const agreeing = group.filter((record) => agrees(placeholder, record))
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

const keyOf = (result: ToolResult, placeholder: Placeholder): string =>
  maskKey({ call_id: result.call_id, tool: placeholder.tool, ref: placeholder.ref })

function agrees(placeholder: Placeholder, record: MaskRecord): boolean {
  if (placeholder.ref === null) return record.ref === null
  return (
    placeholder.form === record.form &&
    placeholder.is_error === record.is_error &&
    // A caller may still have the answer from before there was an extract.
    (placeholder.extract === null || placeholder.extract === (record.extract ?? null))
  )
}

interface Claim {
  readonly result: ToolResult
  readonly agreeing: readonly MaskRecord[]
}

function groupRecords(records: Iterable<MaskRecord>): Map<string, MaskRecord[]> {
  const groups = new Map<string, MaskRecord[]>()
  for (const record of records) push(groups, maskKey(record), record)
  return groups
}

function push<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group === undefined) groups.set(key, [item])
  else group.push(item)
}
