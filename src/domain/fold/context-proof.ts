import type { Reading } from '../transcript/lens.ts'
import { parsePlaceholder } from '../transcript/placeholder.ts'

/**
 * Whether a transcript shows that only the fold is left of what came before it: the fold stands in it
 * verbatim, and no tool result before it is unmasked (exit gate, fifth item).
 */
export function holdsOnlyFold(reading: Reading, fold: string): boolean {
  const wanted = fold.trim()
  for (const piece of reading.pieces) {
    if ('text' in piece && piece.text.includes(wanted)) return true
    if (piece.result === undefined) continue
    if (!('text' in piece) || parsePlaceholder(piece.text) === null) return false
  }
  return false
}
