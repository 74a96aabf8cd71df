import { extractedCallKey, extractsIn } from '../../context/extract-index.ts'
import type { ContextRecords } from '../../context/records.ts'
import type { StoredRecord } from '../../mission/record.ts'
import { singleCalls, resultKey } from '../../transcript/calls.ts'
import { placeholderTool } from './placeholder.ts'

/** The keys to look up before `extractsOf`. */
export const extractedKeys = (results: readonly Named[]): string[] => [
  ...results.map(({ call_id, turn }) => resultKey(turn, call_id)),
  ...[...singleCalls(results)].map(extractedCallKey),
]

interface Named {
  readonly pointer: string
  readonly turn: number
  readonly call_id: string
  readonly tool: string | null
}

/** The extracts of tool results by their pointers; an extract is of its own tool's output only. */
export function extractsOf(
  results: readonly Named[],
  found: readonly StoredRecord<ContextRecords, 'extracted'>[],
): ReadonlyMap<string, string> {
  const known = extractsIn(found)
  const paths = new Map<string, string>()
  const single = singleCalls(results)
  for (const { call_id, pointer, tool, turn } of results) {
    const extracted =
      known.get(resultKey(turn, call_id)) ??
      (single.has(call_id) ? known.get(extractedCallKey(call_id)) : undefined)
    if (extracted?.tool === placeholderTool(tool)) paths.set(pointer, extracted.path)
  }
  return paths
}
