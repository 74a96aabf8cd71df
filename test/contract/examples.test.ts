import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '../../src/cli/build/openapi.ts'
import { examples } from '../../src/cli/build/openapi/examples.ts'
import type { Example, Examples } from '../../src/cli/build/openapi/examples.ts'
import { contract } from '../../src/contract/contract.ts'
import type { OperationName } from '../../src/contract/contract.ts'
import type { Exchange } from './walk/recorder.ts'
import { walkContract } from './walk/walk.ts'

const exchanges = await walkContract()

describe('the examples of the API reference', () => {
  it('equal what the service answers today (else: npm run openapi)', async () => {
    const recorded = chosen(exchanges)
    expect(examples.safeParse(recorded).error).toBeUndefined()
    await expect(`${JSON.stringify(recorded, null, 1)}\n`).toMatchFileSnapshot(EXAMPLES)
  })

  it('show every operation, and every way in which it succeeds', () => {
    const recorded = chosen(exchanges)
    for (const [name, row] of Object.entries(contract)) {
      expect(recorded[name]?.answers, `${name}`).toHaveLength(row.outcomes.length)
      if (name !== 'health') expect(recorded[name]?.problems, `${name}`).not.toHaveLength(0)
    }
  })

  it('stay the same when they are recorded again', async () => {
    expect(await walkContract()).toEqual(exchanges)
  })
})

/** The first answer of each status and the first problem of each code, for each operation. */
function chosen(all: readonly Exchange[]): Examples {
  const entries = Object.keys(contract).flatMap((name) => {
    const own = all.filter(({ operation }) => operation === (name as OperationName))
    return own.length === 0 ? [] : [[name, exampleOf(own)]]
  })
  return Object.fromEntries(entries) as Examples
}

function exampleOf(own: readonly Exchange[]): Example {
  const [first] = own.filter(({ status }) => status < 300)
  const answers = new Map<number, unknown>()
  const problems = new Map<string, Example['problems'][number]>()
  for (const { status, answer } of own) {
    const { code } = answer as { code?: string }
    if (status < 300 && !answers.has(status)) answers.set(status, answer)
    else if (code !== undefined && !problems.has(code))
      problems.set(code, answer as Example['problems'][number])
  }
  return {
    request: { path: first?.path ?? {}, query: first?.query ?? {}, body: first?.body },
    answers: [...answers].map(([status, body]) => ({ status, body })),
    problems: [...problems.values()],
  }
}
