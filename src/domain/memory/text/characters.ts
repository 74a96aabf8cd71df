import { countSegments } from './segments.ts'

/**
 * The length of a text as a person counts it: grapheme clusters (Unicode TR 29), so a family emoji, a
 * flag or a letter with its accents is one. `Intl.Segmenter` is good enough here: unlike a verdict, a
 * cap is judged once, when the block is written, so a later Unicode version can't change an answer.
 *
 * A cluster can be of any length, and a model reads what a person does not see in it: code points past
 * those that any writing needs count one by one.
 */
export function countCharacters(text: string): number {
  let count = 0
  let start = 0
  while (start < text.length) {
    if (standsAlone(text, start)) {
      count += 1
      start += 1
      continue
    }
    let end = start + 1
    while (end < text.length && !standsAlone(text, end)) end += 1
    // The unit that stands alone behind the rest may still be joined to what is before it.
    count += countSegments('grapheme', text.slice(start, end + 1), charactersOf)
    start = end + 1
  }
  return count
}

/** A family of four with skin tones has 11 code points, the flag of Scotland 7. */
const CLUSTER_POINTS = 16

function charactersOf({ segment }: Intl.SegmentData): number {
  if (segment.length <= CLUSTER_POINTS) return 1
  return 1 + Math.max(0, Array.from(segment).length - CLUSTER_POINTS)
}

/** Whether a character surely ends behind this unit: a shortcut around the slow segmenter. */
const standsAlone = (text: string, at: number): boolean =>
  SIMPLE.test(text.charAt(at)) && (at + 1 === text.length || SIMPLE.test(text.charAt(at + 1)))

// Latin, Greek, Cyrillic, kana, Han and Hangul syllables: nothing that joins another of them.
const SIMPLE =
  /[\n -~\u00a0-\u02ff\u0370-\u0482\u048a-\u052f\u1e00-\u1fff\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff60]/
