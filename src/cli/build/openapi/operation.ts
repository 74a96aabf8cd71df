import * as z from 'zod'
import type {
  ZodOpenApiMediaTypeObject,
  ZodOpenApiOperationObject,
  ZodOpenApiParameters,
  ZodOpenApiResponseObject,
} from 'zod-openapi'
import { MEDIA_TYPES, OUTCOME_STATUS } from '../../../contract/answer.ts'
import { takesKey } from '../../../contract/operation.ts'
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
    ...requestHeaders(name, row),
  }
}

function requestHeaders(name: string, row: OperationRow) {
  if (name === 'read_excerpt') return { header: CONDITIONAL_HEADERS }
  const header = { ...described(row.reads ?? {}), ...(takesKey(row) ? IDEMPOTENCY_KEY : {}) }
  return Object.keys(header).length === 0 ? {} : { header: z.object(header) }
}

const IDEMPOTENCY_KEY = {
  'Idempotency-Key': z
    .string()
    .meta({ description: 'a key of your own: the request is carried out once, for 30 days' })
    .optional(),
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
      if (outcome === 'empty') return [String(status), { description: SAID[outcome] }]
      const content = contentOf(row.answers, example)
      return [String(status), { description: SAID[outcome], ...headers, content }]
    }),
  )
}

const SAID = {
  ok: 'Done',
  created: 'Done, and something new is there',
  accepted: 'Begun',
  empty: 'Done, and nothing to say',
} as const

function headersOf(headers: Readonly<Record<string, string>>) {
  return Object.keys(headers).length === 0 ? {} : { headers: z.object(described(headers)) }
}

function described(headers: Readonly<Record<string, string>>): Record<string, z.ZodString> {
  const entries = Object.entries(headers)
  return Object.fromEntries(
    entries.map(([name, description]) => [name, z.string().meta({ description })]),
  )
}

function contentOf(content: Content, example: unknown): Record<string, ZodOpenApiMediaTypeObject> {
  const shown = example === undefined ? {} : { examples: { recorded: { value: example } } }
  if (typeof content !== 'string')
    return { 'application/json': { schema: content, ...shown } as ZodOpenApiMediaTypeObject }
  const [type = ''] = MEDIA_TYPES[content].split(';')
  // OpenAPI 3.1: bytes have no schema; what they are is said by their media type.
  const schema = content === 'markdown' ? { schema: { type: 'string' as const } } : {}
  return { [type]: { ...schema, ...(content === 'markdown' ? shown : {}) } }
}
