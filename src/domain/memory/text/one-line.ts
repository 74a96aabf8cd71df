/**
 * What other people wrote, as one line: runs of white space, line breaks, control characters and
 * direction overrides become one space, so that no value can begin a line of its own or hide one.
 */
export const oneLine = (text: string): string => text.replace(BREAKS, ' ').trim()

/**
 * One line that markdown reads as running text where a line begins: what would open a heading, a
 * list, a quote, a fence, a rule, a table, HTML, a link definition or a log line is escaped.
 */
export function plainLine(text: string): string {
  const line = oneLine(text)
  const digits = NUMBERED.exec(line)?.[0] ?? ''
  if (digits !== '') return `${digits}\\${line.slice(digits.length)}`
  return line !== '' && BLOCK_MARKS.includes(line.charAt(0)) ? `\\${line}` : line
}

/** Whether a text is one paragraph: no blank line parts it. */
export const isParagraph = (text: string): boolean => !BLANK_LINE.test(text.trim())

// U+202A-202E and U+2066-2069 reorder what a reader sees (Unicode TR 36); Cc has NEL among others.
const BREAKS = /[\s\p{Cc}\u202A-\u202E\u2066-\u2069]+/gu
// CommonMark 0.31 section 5.2: at most nine digits, then a dot or a parenthesis.
const BLANK_LINE = /(?:\r\n|[\n\r\u2028\u2029])[ \t]*(?:\r\n|[\n\r\u2028\u2029])|\u2029/
const NUMBERED = /^\d{1,9}(?=[.)])/
const BLOCK_MARKS = '#>-+*=~`_|<[:\\'
