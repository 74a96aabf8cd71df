import type { ToolResult } from './lens.ts'

/** The call ids that stand in a transcript once: those name a result without its turn. */
export function singleCalls(results: readonly Pick<ToolResult, 'call_id'>[]): ReadonlySet<string> {
  const [once, more] = [new Set<string>(), new Set([''])]
  for (const { call_id } of results) (once.has(call_id) ? more : once).add(call_id)
  return new Set([...once].filter((call_id) => !more.has(call_id)))
}
