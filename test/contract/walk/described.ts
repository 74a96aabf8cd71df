import { contract } from '../../../src/contract/contract.ts'
import type { OperationRow } from '../../../src/contract/operation.ts'
import type { Exchange } from './recorder.ts'

interface Content {
  readonly [type: string]: {
    readonly schema?: { readonly properties?: Record<string, { readonly enum?: string[] }> }
    readonly example?: unknown
  }
}

/** An operation as `openapi.json` describes it, as far as tests look at it. */
export interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly in: string; readonly name: string }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly security: readonly { readonly bearer?: readonly string[] }[]
}

export interface OpenapiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

/** Where the document has the schema of an answer, as a JSON pointer in a URI fragment. */
export function schemaPointer({ operation, status, type }: Exchange): string {
  const row: OperationRow = contract[operation]
  const steps = ['paths', row.path, row.method.toLowerCase(), 'responses', String(status)]
  return pointer([...steps, 'content', type, 'schema'])
}

/** Where it has the schema of a JSON body. */
export function bodyPointer({ operation }: Exchange): string {
  const row: OperationRow = contract[operation]
  const steps = ['paths', row.path, row.method.toLowerCase(), 'requestBody']
  return pointer([...steps, 'content', 'application/json', 'schema'])
}

/** Whether an answer has a schema: bytes have none. */
export const isChecked = ({ type }: Exchange): boolean => type.endsWith('json')

const pointer = (steps: readonly string[]): string =>
  steps
    .map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')
