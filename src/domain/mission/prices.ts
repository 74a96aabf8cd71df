import * as z from 'zod'

/** What one token costs, relative to an uncached input token. */
export const prices = z.strictObject({
  input: z.number().nonnegative().default(1),
  cache_read: z.number().nonnegative().default(0.1),
  cache_write: z.number().nonnegative().default(1.25),
})
export type Prices = z.infer<typeof prices>
