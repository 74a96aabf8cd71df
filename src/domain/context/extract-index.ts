/** That a tool output has an extract: found by turn and call, for placeholders and for what is due. */
export interface Extracted {
  readonly tool: string
  /** As a placeholder names it: below `memory/`, where agents see the files. */
  readonly path: string
  /** What naming it adds to a placeholder, in tokens. */
  readonly tokens: number
}

/** The calls of one turn of a task that have extracts, in the order of their places. */
export interface ExtractedTurn {
  readonly calls: readonly string[]
}

/** The same without the turn, which changes when older turns are summarized. */
export const extractedCallKey = (call_id: string): string => JSON.stringify([call_id])

/** The extracts among the entries that were found, by their keys. */
export const extractsIn = (
  found: readonly { readonly key: string; readonly body: Extracted | ExtractedTurn }[],
): ReadonlyMap<string, Extracted> =>
  new Map(found.flatMap(({ body, key }) => ('path' in body ? [[key, body] as const] : [])))
