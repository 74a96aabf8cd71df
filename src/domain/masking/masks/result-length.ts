import type { Reading } from '../../transcript/lens.ts'

/** How many UTF-16 units of text each result holds, by its pointer: no work, unlike its bytes. */
export function charactersOf({ pieces, results }: Reading): ReadonlyMap<string, number> {
  const characters = new Map(results.map(({ pointer }) => [pointer, 0]))
  for (const piece of pieces)
    if (piece.result !== undefined && 'text' in piece)
      characters.set(piece.result, (characters.get(piece.result) ?? 0) + piece.text.length)
  return characters
}
