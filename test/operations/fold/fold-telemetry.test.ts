import { beforeEach, describe, expect, it } from 'vitest'
import type { FoldRow } from '../../../src/domain/log/row.ts'
import { foldBench, mission } from '../../support/fold-bench.ts'
import type { FoldBench } from '../../support/fold-bench.ts'
import { FOLD } from '../../support/fold-case.ts'
import { rootToken } from '../../support/tokens.ts'

describe('the telemetry of folds', () => {
  let api: FoldBench['api']
  let deps: FoldBench['deps']
  let prompt: FoldBench['prompt']
  let submit: FoldBench['submit']

  beforeEach(async () => {
    ;({ api, deps, prompt, submit } = await foldBench())
  })

  it('tells the fold ratio across missions, and the pattern in it', async () => {
    await submit(FOLD, await prompt(), { trajectory_tokens: 1000 })
    const ratios = await api.ok('fold_ratio')
    expect(ratios.items[0]).toMatchObject({ mission, accepted: true, trajectory_tokens: 1000 })
    expect(ratios.pattern).toBe(false)
  })

  it('tells the pattern of the last five folds whatever is listed, and a bound token its own', async () => {
    const row = (owner: string, minute: number, fold_ratio: number | null): FoldRow => ({
      table: 'folds',
      tenant: 'acme',
      mission: owner,
      id: `${owner}-${minute}`,
      at: `2026-11-30T10:0${minute}:00.000Z`,
      accepted: 1,
      fold_tokens: 500,
      trajectory_tokens: fold_ratio === null ? null : 1000,
      fold_ratio,
    })
    await deps.logs!.write([
      row('a', 0, 0.05),
      ...[1, 2, 3].map((minute) => row('b', minute, 0.5)),
      ...[4, 5, 6].map((minute) => row('c', minute, null)),
    ])
    const listed = await api.ok('fold_ratio', { query: { limit: 2 } })
    expect(listed.items).toHaveLength(2)
    expect(listed).toMatchObject({ pattern: true })
    const token = await rootToken(deps.signer!, 'acme', { scope: ['mission:read'], mission: 'a' })
    const own = await api.ok('fold_ratio', { query: { limit: 2 }, token })
    expect(own).toMatchObject({ items: [{ mission: 'a' }], pattern: false })
  })
})
