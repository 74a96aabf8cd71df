import type { ToolResult } from './lens.ts'

/** Names one tool result of a session, in records and decisions. */
export const resultKey = (turn: number, call_id: string): string => JSON.stringify([turn, call_id])

/** The call id in the name of a result. */
export const callOf = (key: string): string => String((JSON.parse(key) as unknown[])[1])

/** The call ids that stand in a transcript once: those name a result without its turn. */
export function singleCalls(results: readonly Pick<ToolResult, 'call_id'>[]): ReadonlySet<string> {
  const [once, more] = [new Set<string>(), new Set([''])]
  for (const { call_id } of results) (once.has(call_id) ? more : once).add(call_id)
  return new Set([...once].filter((call_id) => !more.has(call_id)))
}
