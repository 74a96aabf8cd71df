import type { CountTokens } from '../tokens.ts'

/** The longest o200k_base token is 128 spaces. */
export const LONGEST_TOKEN_BYTES = 128

/**
 * Whether a text is at most `limit` tokens. A text of over 128 bytes × limit can't be and is refused
 * without counting, so the check costs no more for 5 MB than for 256 KB.
 */
export function fitsTokens(count: CountTokens, text: string, limit: number): boolean {
  // A UTF-16 unit is at least one byte of UTF-8, so the length is a safe lower bound of the bytes.
  return text.length <= LONGEST_TOKEN_BYTES * limit && count(text) <= limit
}
