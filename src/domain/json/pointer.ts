import { isList, isObject } from './value.ts'

const BAD_ESCAPE = /~(?![01])/
const INDEX = /^(?:0|[1-9]\d{0,15})$/

/** An RFC 6901 JSON pointer from its reference tokens; no tokens give '', the whole document. */
export const formatPointer = (segments: readonly (string | number)[]): string =>
  segments.map((segment) => `/${escapeSegment(String(segment))}`).join('')

/** The reference tokens of a pointer, or null where the text is not a pointer. */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === '') return []
  if (!pointer.startsWith('/') || BAD_ESCAPE.test(pointer)) return null
  return pointer.slice(1).split('/').map(unescapeSegment)
}

/** The array index that a reference token names (RFC 6901 section 4), or null. */
export const arrayIndex = (segment: string): number | null =>
  INDEX.test(segment) ? Number(segment) : null

/** The value that a pointer names inside a parsed JSON value, or undefined where there is none. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  const segments = parsePointer(pointer)
  if (segments === null) return undefined
  let current = value
  for (const segment of segments) current = member(current, segment)
  return current
}

/** One reference token with `~` and `/` escaped. */
export const escapeSegment = (segment: string): string =>
  segment.replaceAll('~', '~0').replaceAll('/', '~1')

const unescapeSegment = (segment: string): string =>
  segment.replaceAll('~1', '/').replaceAll('~0', '~')

function member(value: unknown, segment: string): unknown {
  if (isList(value)) {
    const index = arrayIndex(segment)
    return index === null ? undefined : value[index]
  }
  return isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined
}
