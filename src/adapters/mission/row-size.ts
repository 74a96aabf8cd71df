import { utf8Length } from '../../domain/bytes.ts'

/** A row of a Durable Object holds 2,000,000 bytes; the rest is for its other columns. */
export const MAX_BODY_BYTES = 1_500_000

/** A body as JSON that fits a row, or a thrown error that names what was too large. */
export function rowBody(what: string, body: unknown): string {
  const text = JSON.stringify(body ?? null)
  const bytes = utf8Length(text)
  if (bytes > MAX_BODY_BYTES)
    throw new Error(`${what} has ${bytes} bytes as JSON, over the limit of ${MAX_BODY_BYTES} a row`)
  return text
}
