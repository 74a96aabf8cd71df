import * as z from 'zod'

export const thresholds = z
  .strictObject({
    amber: z.number().positive().default(60),
    summarize: z.number().positive().default(65),
    red: z.number().positive().default(70),
    critical: z.number().positive().default(85),
  })
  .refine((t) => t.amber <= t.summarize && t.summarize <= t.red && t.red <= t.critical, {
    error: 'must not fall: amber ≤ summarize ≤ red ≤ critical',
  })

export type Thresholds = z.infer<typeof thresholds>

export const DEFAULT_THRESHOLDS: Thresholds = thresholds.parse({})
