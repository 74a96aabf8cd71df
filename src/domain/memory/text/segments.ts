const WINDOW = 256

/**
 * Adds up the weights of a text's segments, 1 each by default, in linear time: V8's `Intl.Segmenter` is
 * quadratic (200,000 letters take a minute), so it is shown a window at a time. The last segment of a
 * window may go on behind it and begins the next one, since no rule of Unicode TR 29 looks back beyond a
 * segment's start.
 */
export function countSegments(
  granularity: 'word' | 'grapheme',
  text: string,
  weigh: (segment: Intl.SegmentData) => number = () => 1,
): number {
  const segmenter = segmenterOf(granularity)
  let count = 0
  let start = 0
  let length = WINDOW
  while (start < text.length) {
    const end = wholeEnd(text, start + length)
    const segments = [...segmenter.segment(text.slice(start, end))]
    if (end === text.length) return count + weightOf(segments, weigh)
    const open = segments.pop()
    count += weightOf(segments, weigh)
    start += open?.index ?? 0
    length = segments.length === 0 ? 2 * length : WINDOW
  }
  return count
}

const weightOf = (
  segments: readonly Intl.SegmentData[],
  weigh: (segment: Intl.SegmentData) => number,
): number => segments.reduce((sum, segment) => sum + weigh(segment), 0)

// Made when first asked for: one costs 5 ms, which no start of an isolate should pay.
const segmenters = new Map<string, Intl.Segmenter>()

function segmenterOf(granularity: 'word' | 'grapheme'): Intl.Segmenter {
  const made = segmenters.get(granularity) ?? new Intl.Segmenter('en', { granularity })
  segmenters.set(granularity, made)
  return made
}

/** An end near this one that does not part a surrogate pair. */
function wholeEnd(text: string, end: number): number {
  if (end >= text.length) return text.length
  const unit = text.charCodeAt(end - 1)
  return unit >= 0xd800 && unit < 0xdc00 ? end + 1 : end
}
