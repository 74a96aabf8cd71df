import * as z from 'zod'

const body = z.unknown()

/** A request that was sent and what came back, as `test/contract/examples.test.ts` recorded it. */
const example = z.strictObject({
  request: z.strictObject({
    path: z.record(z.string(), z.string()),
    query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    body: body.optional(),
  }),
  /** The first answer of each status. */
  answers: z.array(z.strictObject({ status: z.int(), body: body.optional() })),
  /** The first problem of each code. */
  problems: z.array(z.looseObject({ status: z.int(), code: z.string(), title: z.string() })),
})
export type Example = z.infer<typeof example>

/** Real answers by operation. */
export const examples = z.record(z.string(), example)
export type Examples = z.infer<typeof examples>
