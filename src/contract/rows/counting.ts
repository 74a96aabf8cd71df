import * as z from 'zod'
import { modelName } from '../../domain/identifier.ts'
import type { OperationRow } from '../operation.ts'

const counted = z.strictObject({
  request: z.unknown().optional().describe('a provider request or a message list, in any format'),
  text: z.string().optional().describe('or one text'),
  format: z.string().optional().describe('the format of the request, where it is not recognised'),
  model: modelName.optional().describe('whose window is known'),
  window_tokens: z.int().positive().optional().describe('the window, over what the model says'),
})

export const countingRows = {
  count_tokens: {
    method: 'POST',
    path: '/v1/count',
    summary: 'Count the tokens of a request or a text: no mission, no state',
    scope: 'any',
    body: counted.refine(({ request, text }) => (request === undefined) !== (text === undefined), {
      error: 'must be there, or else text, and not both',
      path: ['request'],
    }),
    answers: z.strictObject({
      tokens: z.int(),
      encoding: z.string(),
      format: z.string().nullable().describe('null for a text'),
      window_tokens: z.int().nullable().describe('null where no known model is named'),
      percent: z.number().nullable(),
    }),
    outcomes: ['ok'],
    problems: ['format_unknown', 'transcript_invalid'],
  },
} as const satisfies Record<string, OperationRow>
