import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contract } from '../../src/contract/contract.ts'
import type { OperationName } from '../../src/contract/contract.ts'
import { problemsOf } from '../../src/contract/operation.ts'
import type { OperationRow } from '../../src/contract/operation.ts'
import { paramNames, PARAMS } from '../../src/contract/params.ts'
import { problemFor, problemStatus, problemTitle, problemType } from '../../src/contract/problem.ts'
import type { FailureCode } from '../../src/domain/failure.ts'
import { VERSION } from '../../src/operations/health.ts'
import { operations } from '../../src/operations/registry.ts'
import { SAMPLES } from '../support/samples.ts'

const root = join(import.meta.dirname, '../..')
const rows = Object.entries<OperationRow>(contract)
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join(folder, path))

const codes = [...read('src/domain/failure.ts').matchAll(/^ {2}\| '(\w+)'$/gm)].map(
  ([, code]) => code as FailureCode,
)

describe('the contract', () => {
  test('has an operation for each row, and no other', () => {
    const served = [...Object.keys(operations), 'read_excerpt']
    expect(served.toSorted()).toEqual(Object.keys(contract).toSorted())
  })

  test('has one row for each method and path', () => {
    const routes = rows.map(([, { method, path }]) => `${method} ${path}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  test('knows the syntax of every path parameter', () => {
    for (const [, { path }] of rows)
      for (const name of paramNames(path)) expect(PARAMS).toHaveProperty(name)
  })

  test('says what each operation does, in one line without a full stop', () => {
    for (const [, { summary }] of rows) expect(summary).toMatch(/^[A-Za-z][^\n]{10,120}[^.\n]$/)
  })

  test('has no path that an earlier row with a parameter matches', () => {
    for (const [index, [, row]] of rows.entries()) {
      const pattern = new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/{]+')}$`)
      for (const [, later] of rows.slice(index + 1))
        if (later.method === row.method && later.path !== row.path)
          expect(later.path).not.toMatch(pattern)
    }
  })

  test('accepts the sample body of each operation', () => {
    for (const [name, row] of rows) {
      const { body } = SAMPLES[name as OperationName]
      if (typeof row.body === 'object') row.body.parse(body)
    }
  })
})

describe('problems', () => {
  test('each problem has a type, a title and an error status', () => {
    expect(codes.length).toBeGreaterThan(60)
    const types = codes.map(problemType)
    expect(new Set(types).size).toBe(codes.length)
    for (const code of codes) {
      expect(problemType(code)).toMatch(/^\/problems\/[a-z0-9-]+$/)
      expect(problemTitle(code)).toMatch(/^[A-Z]/)
      expect(problemStatus(code)).toBeGreaterThanOrEqual(400)
      expect(problemFor({ code }).retryable).toBe(
        code === 'temporarily_unavailable' || code === 'request_in_progress',
      )
    }
  })

  test('members of a failure never replace those of its problem', () => {
    const members = { status: 200, code: 'ok', title: '', type: '', retryable: true, verdict: 1 }
    expect(problemFor({ code: 'fold_rejected', members })).toMatchObject({
      status: 422,
      code: 'fold_rejected',
      type: '/problems/fold-rejected',
      retryable: false,
      verdict: 1,
    })
  })

  // Answered before a row is found, or by the MCP face.
  const OUTSIDE: readonly FailureCode[] = [
    'not_found',
    'method_not_allowed',
    'origin_not_allowed',
    'tool_budget_exhausted',
  ]

  test('each problem is named by a row that can answer it', () => {
    const named = new Set([...rows.flatMap(([, row]) => problemsOf(row)), ...OUTSIDE])
    expect(codes.filter((code) => !named.has(code))).toEqual([])
  })

  test('each problem is expected by a test', () => {
    const here = join('test/contract/contract.test.ts')
    const tests = filesIn('test')
      .filter((path) => path !== here)
      .map(read)
      .join('\n')
    expect(codes.filter((code) => !tests.includes(`'${code}'`))).toEqual([])
  })
})

describe('the source', () => {
  test('imports zod as a namespace, so that bundlers can drop what is unused', () => {
    for (const path of filesIn('src'))
      for (const [line] of read(path).matchAll(/^.*from 'zod'.*$/gm))
        expect(`${path}: ${line}`).toMatch(/: import (type )?\* as z from 'zod'$/)
  })

  test('gives problems their status in problem.ts alone', () => {
    for (const path of filesIn('src').filter((file) => !/^src\/(cli|client)/.test(file)))
      expect(`${path}: ${/\bstatus: [45]\d\d\b/.exec(read(path))?.[0]}`).toBe(`${path}: undefined`)
  })

  test('has the version of the package', () => {
    expect(VERSION).toBe((JSON.parse(read('package.json')) as { version: string }).version)
  })
})
