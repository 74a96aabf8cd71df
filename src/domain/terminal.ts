/** A text that can't move a terminal's cursor, colour it, or turn its direction; it keeps its lines. */
export function harmless(text: string): string {
  let safe = ''
  for (const character of text.toWellFormed()) {
    const code = character.codePointAt(0) ?? 0
    const control = (code < 0x20 && code !== 0x09 && code !== 0x0a) || (code >= 0x7f && code < 0xa0)
    const turning = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069)
    safe += control || turning ? '\ufffd' : character
  }
  return safe
}

/** The same on one line: white space of any length is one blank. */
export const harmlessLine = (text: string): string => harmless(text.replaceAll(/\s+/g, ' '))
