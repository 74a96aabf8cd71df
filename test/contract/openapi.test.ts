import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { OPENAPI, renderOpenapi } from '../../src/cli/build/openapi.ts'
import { contract } from '../../src/contract/contract.ts'
import type { OperationName } from '../../src/contract/contract.ts'
import { problemsOf } from '../../src/contract/operation.ts'
import type { OperationRow } from '../../src/contract/operation.ts'
import { problemStatus } from '../../src/contract/problem.ts'
import type { FailureCode } from '../../src/domain/failure.ts'
import { bodyPointer, isChecked, schemaPointer } from './walk/described.ts'
import type { Described, OpenapiDocument } from './walk/described.ts'
import { walkContract } from './walk/walk.ts'

const text = readFileSync(OPENAPI, 'utf8')
const document = JSON.parse(text) as OpenapiDocument
const exchanges = await walkContract()

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema(JSON.parse(text), 'openapi.json')

/** The errors of a value against a schema of the document, or null. */
function errorsOf(pointer: string, value: unknown): unknown {
  const validate = ajv.getSchema(`openapi.json#${pointer}`)
  if (validate === undefined) throw new Error(`no schema at ${pointer}`)
  return validate(value) ? null : validate.errors
}

const describedAs = (name: OperationName): Described => {
  const row: OperationRow = contract[name]
  return document.paths[row.path]?.[row.method.toLowerCase()] as Described
}

describe('openapi.json', () => {
  it('equals what the contract says (else: npm run openapi)', () => {
    expect(renderOpenapi() === text, 'src/assets/openapi.json is stale: npm run openapi').toBe(true)
  })

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(JSON.parse(text))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  it('has every operation of the contract and no other, in their order', () => {
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(described.toSorted()).toEqual(Object.keys(contract).toSorted())
    const paths = new Set(Object.values<OperationRow>(contract).map(({ path }) => path))
    expect(Object.keys(document.paths)).toEqual([...paths])
  })

  it.each(Object.keys(contract) as OperationName[])('says what %s needs and answers', (name) => {
    const row: OperationRow = contract[name]
    const { parameters = [], requestBody, responses, security } = describedAs(name)
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    expect(inPath.map((parameter) => `{${parameter.name}}`)).toEqual(
      row.path.match(/\{\w+\}/g) ?? [],
    )
    const inQuery = parameters.filter((parameter) => parameter.in === 'query')
    expect(inQuery.map((parameter) => parameter.name)).toEqual(Object.keys(row.query?.shape ?? {}))
    expect(requestBody === undefined).toBe(row.body === undefined)
    expect(security.flatMap((one) => one.bearer ?? []).includes(row.scope)).toBe(
      row.scope !== 'any' && row.scope !== 'none',
    )
    for (const code of problemsOf(row)) {
      const { content } = responses[problemStatus(code)] ?? {}
      const { schema } = content?.['application/problem+json'] ?? {}
      expect(schema?.properties?.['code']?.enum).toContain(code)
    }
  })
})

describe('what the service answers', () => {
  it('matches its schema for a success and a problem of every operation', () => {
    const walked = new Set<string>()
    for (const exchange of exchanges) {
      const pointer = schemaPointer(exchange)
      if (isChecked(exchange))
        expect(errorsOf(pointer, exchange.answer), `${exchange.operation} ${pointer}`).toBeNull()
      walked.add(`${exchange.operation} ${exchange.status < 300 ? 'ok' : 'problem'}`)
    }
    for (const name of Object.keys(contract)) {
      expect(walked).toContain(`${name} ok`)
      if (name !== 'health') expect(walked).toContain(`${name} problem`)
    }
  })

  it('does not match its schema with a missing or unknown member', () => {
    for (const exchange of exchanges.filter(isChecked)) {
      const pointer = schemaPointer(exchange)
      const answer = exchange.answer as Record<string, unknown>
      expect(errorsOf(pointer, {})).not.toBeNull()
      if (exchange.status < 300) expect(errorsOf(pointer, { ...answer, other: 1 })).not.toBeNull()
      else expect(errorsOf(pointer, { ...answer, code: 'no_such_code' })).not.toBeNull()
    }
  })

  it('answers requests that match the document', () => {
    for (const exchange of exchanges.filter(({ status }) => status < 300)) {
      const { operation, query = {}, body } = exchange
      const { parameters = [], requestBody } = describedAs(operation)
      const known = parameters.filter((one) => one.in === 'query').map((one) => one.name)
      expect(known).toEqual(expect.arrayContaining(Object.keys(query)))
      if (requestBody?.content['application/json'] === undefined) continue
      expect(errorsOf(bodyPointer(exchange), body), `${operation}`).toBeNull()
    }
  })

  it('has only problem codes that the document lists', () => {
    for (const { operation, status, answer } of exchanges) {
      if (status < 400) continue
      expect(problemsOf(contract[operation])).toContain((answer as { code: FailureCode }).code)
    }
  })
})
