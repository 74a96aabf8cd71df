import * as z from 'zod'

/** Where a page ended: the sort key of its last item. Clients see it as an opaque text. */
export type CursorKey = readonly (string | number)[]

const cursorKey = z.array(z.union([z.string(), z.number()])).max(8)

/** The sort key of the last item of a page as base64url JSON. */
export const formatCursor = (key: CursorKey): string =>
  btoa(JSON.stringify(key).replace(/[^ -~]/g, escaped))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** The sort key in a cursor, or null for a text that `formatCursor` never made. */
export function parseCursor(text: string): CursorKey | null {
  try {
    const parsed = cursorKey.parse(JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/'))))
    return formatCursor(parsed) === text ? parsed : null
  } catch {
    return null
  }
}

/** A cursor as a client sends it back. */
export const cursor = z
  .string()
  .max(1024)
  .refine((text) => parseCursor(text) !== null, { error: 'is not a cursor of this API' })

const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
