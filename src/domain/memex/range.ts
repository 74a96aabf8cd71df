/** A byte range to serve: `start` inclusive, `end` exclusive. */
interface ByteRange {
  readonly start: number
  readonly end: number
}

const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * A single byte range of RFC 9110 section 14.1.2 on `size` bytes. Whatever is not one well-formed
 * range of bytes is `null`: the whole body is served, as the RFC allows. R2 is never asked to parse
 * it, since it serves the whole object with a range for several of the unsatisfiable forms.
 */
export function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | null {
  const match = header === undefined ? null : SINGLE_RANGE.exec(header)
  if (match === null) return null
  const [, first = '', last = ''] = match
  if (first === '') return last === '' ? null : suffixRange(Number(last), size)
  const start = Number(first)
  if (start >= size || (last !== '' && Number(last) < start)) return 'unsatisfiable'
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) }
}

const suffixRange = (length: number, size: number): ByteRange | 'unsatisfiable' =>
  length === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size }
