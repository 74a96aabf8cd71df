import { isBlank } from './characters.ts'

/** The line that opens a code fence (CommonMark 0.31.2 section 4.5). */
export interface Fence {
  readonly mark: '`' | '~'
  readonly length: number
  /** 1-based column of its first mark. */
  readonly column: number
}

/** The fence that a line opens at its first visible unit, or null. */
export function fenceAt(text: string, first: number): Fence | null {
  const mark = text[first]
  if ((mark !== '`' && mark !== '~') || isIndentedCode(text, first)) return null
  const length = runLength(text, first)
  if (length < 3) return null
  // ```a``` on one line is a code span, not a fence.
  if (mark === '`' && text.indexOf('`', first + length) !== -1) return null
  return { mark, length, column: first + 1 }
}

/** Whether a line closes the fence: the same mark, at least as long, and nothing behind it. */
export function closesFence(text: string, first: number, fence: Fence): boolean {
  if (text[first] !== fence.mark || isIndentedCode(text, first)) return false
  const length = runLength(text, first)
  if (length < fence.length) return false
  for (let index = first + length; index < text.length; index++)
    if (!isBlank(text.charCodeAt(index))) return false
  return true
}

/** Four columns of indentation make a line code of its own; a tab is worth four. */
export function isIndentedCode(text: string, first: number): boolean {
  return first > 3 || (text.lastIndexOf('\t', first) !== -1 && first > 0)
}

function runLength(text: string, start: number): number {
  let end = start
  while (text[end] === text[start] && end < text.length) end += 1
  return end - start
}
