import * as z from 'zod'
import { cursor } from '../domain/cursor.ts'

/** The most items of one page. */
export const MAX_PAGE = 1000

/** Lists page with an opaque cursor: `limit` items at most, then `next_cursor` until it is null. */
export const paging = {
  cursor: cursor.optional().describe('`next_cursor` of the page before'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_PAGE)
    .default(100)
    .describe('how many items at most'),
}

export const page = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), next_cursor: z.string().nullable() })
