import type { CountTokens } from '../tokens.ts'

// What an entry costs beside its characters; it keeps a flood of tiny texts bounded too.
const ENTRY_CHARS = 64

/**
 * Counts each text once: the same text again is answered from the cache, by the text itself, so a
 * collision can't give a wrong count. Holds at most `maxChars` characters, the least recently used
 * leave first; a text longer than that is counted and not kept.
 */
export function createCountCache(count: CountTokens, maxChars: number): CountTokens {
  const counts = new Map<string, number>()
  let held = 0
  const forgetOldest = (): void => {
    for (const oldest of counts.keys()) {
      if (held <= maxChars) return
      counts.delete(oldest)
      held -= oldest.length + ENTRY_CHARS
    }
  }
  return (text) => {
    const known = counts.get(text)
    if (known !== undefined) {
      counts.delete(text)
      counts.set(text, known)
      return known
    }
    const counted = count(text)
    if (text.length + ENTRY_CHARS > maxChars) return counted
    counts.set(text, counted)
    held += text.length + ENTRY_CHARS
    forgetOldest()
    return counted
  }
}
