import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { problemsOf } from '../../../contract/operation.ts'
import type { OperationRow } from '../../../contract/operation.ts'
import { problemStatus, problemTitle } from '../../../contract/problem.ts'
import type { FailureCode } from '../../../domain/failure.ts'
import type { Example } from './examples.ts'

/** The problems that an operation can answer: one response a status, with its codes. */
export function problemResponses(
  row: OperationRow,
  recorded: Example['problems'],
): Record<string, ZodOpenApiResponseObject> {
  const statuses = Map.groupBy(problemsOf(row), problemStatus)
  const ordered = [...statuses].toSorted(([one], [other]) => one - other)
  return Object.fromEntries(
    ordered.map(([status, codes]) => [
      String(status),
      problemResponse(
        codes,
        recorded.filter((one) => one.status === status),
      ),
    ]),
  )
}

function problemResponse(
  codes: readonly FailureCode[],
  recorded: Example['problems'],
): ZodOpenApiResponseObject {
  const examples = recorded.map((body) => [body.code, { summary: body.title, value: body }])
  return {
    description: codes.map((code) => `\`${code}\`: ${problemTitle(code)}`).join('; '),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Problem' }],
          properties: { code: { enum: [...codes] } },
        },
        ...(examples.length === 0 ? {} : { examples: Object.fromEntries(examples) }),
      },
    },
  }
}
