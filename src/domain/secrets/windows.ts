import type { Finding } from './finding.ts'

const WINDOW = 64 * 1024
/** Longer than any secret: the largest is a private key of 16,384 bits in PEM. */
const OVERLAP = 16 * 1024

/**
 * Scans a text a window at a time, in code units, so that rules whose time grows with the square of
 * their matches take linear time. What touches an edge that is not the text's own is left to the
 * neighbour, which sees what stands behind it.
 */
export async function scanInWindows(
  text: string,
  scan: (window: string) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  const found = new Map<string, Finding>()
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += WINDOW - OVERLAP) {
    const to = Math.min(text.length, from + WINDOW)
    for (const finding of await scan(text.slice(from, to))) {
      const { end, rule, start } = finding
      const atEdge = (from > 0 && start === 0) || (to < text.length && end === to - from)
      if (!atEdge)
        found.set(`${rule} ${start + from} ${end + from}`, {
          ...finding,
          start: start + from,
          end: end + from,
        })
    }
  }
  return [...found.values()]
}
