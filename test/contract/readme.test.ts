import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contract } from '../../src/contract/contract.ts'
import type { OperationRow } from '../../src/contract/operation.ts'
import { problemStatus } from '../../src/contract/problem.ts'
import type { FailureCode } from '../../src/domain/failure.ts'

const readme = readFileSync(new URL('../../README.md', import.meta.url).pathname, 'utf8')
const failures = readFileSync(
  new URL('../../src/domain/failure.ts', import.meta.url).pathname,
  'utf8',
)
const codes = [...failures.matchAll(/^ {2}\| '(\w+)'$/gm)].map((match) => match[1] as FailureCode)

describe('the README', () => {
  it('names every problem code under its status', () => {
    expect(codes.length).toBeGreaterThan(50)
    for (const code of codes) {
      const cell = `| ${problemStatus(code)} `
      const row = readme.split('\n').find((line) => line.startsWith(cell))
      expect(row).toContain(`\`${code}\``)
    }
  })

  it('names the route of every operation', () => {
    for (const row of Object.values<OperationRow>(contract)) {
      const [last = ''] = row.path
        .replace('/v1/missions/{mission}', '')
        .replace(/\{artifact\}/, '{name}')
        .split('{')
      expect(readme).toContain(last === '' ? '/v1/missions' : last.replace(/\/$/, ''))
    }
  })
})
