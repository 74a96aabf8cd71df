export const QUOTE = 0x22
const BACKSLASH = 0x5c
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
const COMMA = 0x2c

/** The index of the first character at or after `index` that is not JSON whitespace. */
export function skipSpace(source: string, index: number): number {
  for (;;) {
    const unit = source.charCodeAt(index)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return index
    index += 1
  }
}

/** The index after the closing quote of the string that opens at `start`; the source's length where it never closes. */
export function stringEnd(source: string, start: number): number {
  let quote = start
  for (;;) {
    quote = source.indexOf('"', quote + 1)
    if (quote === -1) return source.length
    let before = quote - 1
    while (before > start && source.charCodeAt(before) === BACKSLASH) before -= 1
    // An even number of backslashes before the quote escape one another, not the quote.
    if ((quote - before) % 2 === 1) return quote + 1
  }
}

/** The index after the value that starts at `start` (no whitespace before it). Linear, no recursion. */
export function valueEnd(source: string, start: number): number {
  const first = source.charCodeAt(start)
  if (first === QUOTE) return stringEnd(source, start)
  return first === OPEN_BRACE || first === OPEN_BRACKET
    ? containerEnd(source, start)
    : scalarEnd(source, start)
}

function containerEnd(source: string, start: number): number {
  let depth = 0
  for (let index = start; index < source.length; index++) {
    const unit = source.charCodeAt(index)
    if (unit === QUOTE) index = stringEnd(source, index) - 1
    else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth += 1
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      depth -= 1
      if (depth === 0) return index + 1
    }
  }
  return source.length
}

function scalarEnd(source: string, start: number): number {
  let index = start
  for (; index < source.length; index++) {
    const unit = source.charCodeAt(index)
    if (unit === COMMA || unit === CLOSE_BRACE || unit === CLOSE_BRACKET || unit <= 0x20) break
  }
  return index
}
