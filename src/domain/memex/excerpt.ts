import * as z from 'zod'

/** The largest excerpt, in bytes: it is buffered once to be hashed (DESIGN section 3). */
export const MAX_EXCERPT_BYTES = 8 * 1024 * 1024

/**
 * What an excerpt is evidence of. `transcript` needs `audit=true`; `summary` is known here only to be
 * refused by name: text that a model wrote is working memory, not evidence (seed, Memex hygiene).
 */
export const KINDS = [
  'excerpt',
  'query',
  'tool_output',
  'findings',
  'artifact',
  'transcript',
] as const
export const excerptKind = z.enum(KINDS)
export type ExcerptKind = z.infer<typeof excerptKind>

/** What is remembered beside an excerpt's bytes. */
export interface ExcerptMeta {
  readonly kind: ExcerptKind
  /** Where it came from, as the writer names it: a path with lines, a URL, a query. */
  readonly source?: string
  readonly tool?: string
  readonly stored_at: string
}
