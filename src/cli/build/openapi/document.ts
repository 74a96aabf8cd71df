import * as z from 'zod'
import { createDocument } from 'zod-openapi'
import type { CreateDocumentOptions, ZodOpenApiPathsObject } from 'zod-openapi'
import { contract } from '../../../contract/contract.ts'
import type { OperationRow } from '../../../contract/operation.ts'
import { problem } from '../../../contract/problem.ts'
import { advice, extractDue, reading } from '../../../contract/rows/context.ts'
import { escalation } from '../../../contract/rows/fold/escalations.ts'
import { maskingEntry } from '../../../contract/rows/logs.ts'
import { mission } from '../../../contract/rows/missions.ts'
import { verdict } from '../../../domain/fold/checks/verdict.ts'
import { policyInput } from '../../../domain/mission/policy.ts'
import type { Examples } from './examples.ts'
import { describeOperation } from './operation.ts'
import { TAGS } from './tags.ts'

/** Schemas that several operations share. */
const SHARED = {
  Problem: problem,
  Mission: mission,
  Advice: advice,
  ExtractDue: extractDue,
  Reading: reading,
  Policy: policyInput,
  MaskingEntry: maskingEntry,
  Verdict: verdict,
  Escalation: escalation,
}

/** The contract as an OpenAPI 3.1 document, its operations in the order of the table. */
export function openapiDocument(version: string, examples: Examples) {
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Foldex',
        version,
        summary: 'Context hygiene for hosted agents.',
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      tags: TAGS.map(({ name, description }) => ({ name, description })),
      paths: paths(examples),
      components: { schemas: schemas(), securitySchemes: { bearer: BEARER } },
    },
    { override: withoutSafeBounds },
  )
  return withoutUnused(document)
}

const DESCRIPTION = `Masks old tool outputs without losing a byte, proves that a fold lost nothing, and tells how full the context is.

Problems are RFC 9457 (\`application/problem+json\`): \`code\` is stable, \`hint\` says what to do, \`retryable\` whether to try again.
Times are ISO 8601 in UTC with milliseconds. Lists answer \`{items, next_cursor}\`: pass the cursor back until it is null.
The examples are recorded answers.`

const BEARER = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'A token of `npm start`, `foldex token` or `POST /v1/tokens`.',
} as const

/** Every body has a name, so that what is generated from the document has readable types. */
function schemas(): Record<string, z.ZodType> {
  const named = new Map<z.ZodType, string>()
  for (const [name, schema] of Object.entries(SHARED)) named.set(schema, name)
  for (const [name, { body, answers }] of Object.entries<OperationRow>(contract)) {
    if (body instanceof z.ZodType && !named.has(body)) named.set(body, `${pascal(name)}Request`)
    if (answers instanceof z.ZodType && !named.has(answers))
      named.set(answers, `${pascal(name)}Answer`)
  }
  return Object.fromEntries([...named].map(([schema, name]) => [name, schema]))
}

const pascal = (name: string): string =>
  name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** Every whole number of JSON is within these: to say so would only be noise. */
const withoutSafeBounds: NonNullable<CreateDocumentOptions['override']> = ({ jsonSchema }) => {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
}

/** A schema that is named is made for requests and for answers, though only one may need it. */
function withoutUnused(document: ReturnType<typeof createDocument>) {
  const text = JSON.stringify(document)
  const used = Object.entries(document.components?.schemas ?? {}).filter(([name]) =>
    text.includes(`"#/components/schemas/${name}"`),
  )
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(used) } }
}

function paths(examples: Examples): ZodOpenApiPathsObject {
  const described: ZodOpenApiPathsObject = {}
  for (const [name, row] of Object.entries<OperationRow>(contract))
    described[row.path] = {
      ...described[row.path],
      [row.method.toLowerCase()]: describeOperation(name, row, examples[name]),
    }
  return described
}
