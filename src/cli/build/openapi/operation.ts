import * as z from 'zod'
import type {
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import { MEDIA_TYPES, OUTCOME_STATUS } from '../../../contract/answer.ts'
import type { Content, OperationRow } from '../../../contract/operation.ts'
import { paramNames, PARAMS } from '../../../contract/params.ts'
import type { Example } from './examples.ts'
import { CONDITIONAL_HEADERS, conditionalResponses, EXCERPT_HEADERS } from './excerpt.ts'
import { problemResponses } from './problems.ts'
import { tagOf } from './tags.ts'

/** One row of the contract as an OpenAPI operation, with the answers that were recorded of it. */
export function describeOperation(
  name: string,
  row: OperationRow,
  recorded: Example | undefined,
): ZodOpenApiOperationObject {
  return {
    operationId: name,
    tags: [tagOf(name)],
    summary: row.summary,
    description: needed(row),
    security: security(row),
    requestParams: requestParams(name, row, recorded),
    ...(row.body === undefined ? {} : { requestBody: requestBody(row.body, row, recorded) }),
    responses: {
      ...answers(name, row, recorded),
      ...(name === 'read_excerpt' ? conditionalResponses() : {}),
      ...problemResponses(row, recorded?.problems ?? []),
    },
  }
}

function needed({ scope, alsoScope }: OperationRow): string {
  if (scope === 'none') return 'Needs no token.'
  if (scope === 'any') return 'Needs a token; any scope will do.'
  const part = alsoScope === undefined ? '' : `; \`${alsoScope}\` reaches a part of it`
  return `Needs a token with the scope \`${scope}\`${part}.`
}

/** Scopes are named as roles, which OpenAPI 3.1 allows for a bearer scheme. */
function security({ scope, alsoScope }: OperationRow) {
  if (scope === 'none') return []
  if (scope === 'any') return [{ bearer: [] }]
  return [{ bearer: [scope] }, ...(alsoScope === undefined ? [] : [{ bearer: [alsoScope] }])]
}

function requestParams(
  name: string,
  row: OperationRow,
  recorded: Example | undefined,
): ZodOpenApiParameters {
  const path = paramNames(row.path).map((param) => {
    const description = PARAMS[param]?.description ?? param
    const example = recorded?.request.path[param]
    return [
      param,
      z.string().meta({ description, ...(example === undefined ? {} : { example }) }),
    ] as const
  })
  return {
    ...(path.length === 0 ? {} : { path: z.object(Object.fromEntries(path)) }),
    ...(row.query === undefined ? {} : { query: row.query }),
    ...(name === 'read_excerpt' ? { header: CONDITIONAL_HEADERS } : {}),
  }
}

function requestBody(
  body: z.ZodType | 'bytes',
  { maxBytes }: OperationRow,
  recorded: Example | undefined,
) {
  const limit = maxBytes === undefined ? {} : { description: `At most ${maxBytes} bytes.` }
  return { required: true, ...limit, content: contentOf(body, recorded?.request.body) }
}

function answers(
  name: string,
  row: OperationRow,
  recorded: Example | undefined,
): Record<string, ZodOpenApiResponseObject> {
  const headers =
    name === 'read_excerpt' ? { headers: EXCERPT_HEADERS } : headersOf(row.headers ?? {})
  return Object.fromEntries(
    row.outcomes.map((outcome) => {
      const status = OUTCOME_STATUS[outcome]
      const example = recorded?.answers.find((answer) => answer.status === status)?.body
      const content = contentOf(row.answers, example)
      return [String(status), { description: SAID[outcome], ...headers, content }]
    }),
  )
}

const SAID = { ok: 'Done', created: 'Done, and something new is there', accepted: 'Begun' } as const

function headersOf(described: Readonly<Record<string, string>>) {
  const entries = Object.entries(described)
  if (entries.length === 0) return {}
  const headers = entries.map(([name, text]) => [name, z.string().meta({ description: text })])
  return { headers: z.object(Object.fromEntries(headers) as Record<string, z.ZodString>) }
}

function contentOf(content: Content, example: unknown): Record<string, ZodOpenApiMediaTypeObject> {
  const shown = example === undefined ? {} : { example }
  if (typeof content !== 'string')
    return { 'application/json': { schema: content, ...shown } as ZodOpenApiMediaTypeObject }
  const [type = ''] = MEDIA_TYPES[content].split(';')
  // OpenAPI 3.1: bytes have no schema; what they are is said by their media type.
  const schema = content === 'markdown' ? { schema: { type: 'string' as const } } : {}
  return { [type]: { ...schema, ...(content === 'markdown' ? shown : {}) } }
}
