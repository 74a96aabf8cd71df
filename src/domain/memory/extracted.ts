import type { StoredRecord } from '../mission/record.ts'
import { singleCalls } from '../transcript/recognise.ts'
import { placeholderTool } from '../transcript/placeholder.ts'

/** That a tool output has an extract: found by turn and call, for placeholders and for what is due. */
export interface Extracted {
  readonly tool: string
  /** As a placeholder names it: below `memory/`, where agents see the files. */
  readonly path: string
  /** What naming it adds to a placeholder, in tokens. */
  readonly tokens: number
}

export const extractedKey = (turn: number, call_id: string): string =>
  JSON.stringify([turn, call_id])

/** The same without the turn, which changes when older turns are summarized. */
export const extractedCallKey = (call_id: string): string => JSON.stringify([call_id])

/** The keys to look up before `extractsOf`. */
export const extractedKeys = (results: readonly Named[]): string[] => [
  ...results.map(({ call_id, turn }) => extractedKey(turn, call_id)),
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
  found: readonly StoredRecord[],
): ReadonlyMap<string, string> {
  const known = new Map(
    found
      .filter(({ kind }) => kind === 'extracted')
      .map(({ key, body }) => [key, body as Extracted]),
  )
  const paths = new Map<string, string>()
  const single = singleCalls(results)
  for (const { call_id, pointer, tool, turn } of results) {
    const extracted =
      known.get(extractedKey(turn, call_id)) ??
      (single.has(call_id) ? known.get(extractedCallKey(call_id)) : undefined)
    if (extracted?.tool === placeholderTool(tool)) paths.set(pointer, extracted.path)
  }
  return paths
}
