import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openapiDocument } from './openapi/document.ts'
import { examples } from './openapi/examples.ts'

const ROOT = join(import.meta.dirname, '../../..')

/** Where the recorded answers are, and where the document is served from. */
export const EXAMPLES = join(ROOT, 'src/cli/build/openapi/examples.json')
export const OPENAPI = join(ROOT, 'src/assets/openapi.json')

/** The OpenAPI document as the contract and the recorded examples make it. */
export function renderOpenapi(): string {
  const { version } = json(join(ROOT, 'package.json')) as { readonly version: string }
  const document = openapiDocument(version, examples.parse(json(EXAMPLES)))
  return `${JSON.stringify(document, null, 1)}\n`
}

const json = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

if (import.meta.main) writeFileSync(OPENAPI, renderOpenapi())
