import type { Reading } from '../../transcript/lens.ts'

/**
 * Whether a transcript shows that only the fold is left of what came before it: the fold stands in it
 * verbatim, no tool result before it is unmasked, and behind it none that is known to be older (exit
 * gate, fifth item). `masked` and `older` are pointers of results: what the mission itself masked, and
 * what it saw before it had the fold.
 */
export function holdsOnlyFold(
  { pieces }: Reading,
  fold: string,
  known: { readonly masked: ReadonlySet<string>; readonly older: ReadonlySet<string> },
): boolean {
  const wanted = fold.trim()
  let told = false
  for (const piece of pieces) {
    const { result } = piece
    if ('text' in piece && piece.text.includes(wanted)) told = true
    else if (
      result !== undefined &&
      !known.masked.has(result) &&
      (!told || known.older.has(result))
    )
      return false
  }
  return told
}
