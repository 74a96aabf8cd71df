import { countSegments } from './segments.ts'

/**
 * The words of a text as word processors count them: what stands between white space and has a
 * letter or a digit. Scripts that put no spaces between words are cut by their dictionary.
 */
export function countWords(text: string): number {
  let count = 0
  for (const [chunk] of text.matchAll(CHUNK)) {
    if (UNSPACED.test(chunk))
      count += countSegments('word', chunk, ({ isWordLike }) => (isWordLike === true ? 1 : 0))
    else if (WORDY.test(chunk)) count += 1
  }
  return count
}

const CHUNK = /\S+/g
const WORDY = /[\p{L}\p{N}]/u
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
