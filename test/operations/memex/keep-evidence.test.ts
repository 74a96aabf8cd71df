import { expect, it } from 'vitest'
import { utf8 } from '../../../src/domain/bytes.ts'
import { sha256 } from '../../../src/domain/digest.ts'
import { MAX_EXCERPT_BYTES } from '../../../src/domain/memex/excerpt.ts'
import { keepEvidence } from '../../../src/operations/memex/keep-evidence.ts'
import { before, callsOf, inTurn } from '../../support/faults.ts'
import type { Plan } from '../../support/faults.ts'
import { memoryDeps } from '../../support/memory-deps.ts'

const owner = { tenant: 'acme', mission: 'm-1' }
const meta = { kind: 'tool_output', tool: 'sh', stored_at: '2026-11-30T16:00:00.000Z' } as const

async function keeper(plan?: Plan) {
  const deps = memoryDeps(plan === undefined ? {} : { memex: plan })
  const memex = deps.memex ?? expect.fail('no memex')
  const keep = async (text: string) => {
    const bytes = utf8(text)
    return await keepEvidence({ ...deps, memex }, owner, {
      digest: await sha256(bytes),
      bytes,
      meta,
    })
  }
  return { deps, keep, memex }
}

it('says whether evidence is new or was there', async () => {
  const { keep, memex } = await keeper()
  expect(await keep('printed')).toEqual({ ok: true, value: 'created' })
  expect(await keep('printed')).toEqual({ ok: true, value: 'exists' })
  expect(await memex.head(owner, await sha256(utf8('printed')))).toMatchObject(meta)
})

it('stores nothing that is too large', async () => {
  const { keep, memex } = await keeper()
  expect(await keep('x'.repeat(MAX_EXCERPT_BYTES + 1))).toEqual({ ok: false, error: 'too_large' })
  expect(await keep('x'.repeat(MAX_EXCERPT_BYTES))).toMatchObject({ ok: true })
  expect(callsOf(memex, 'put')).toBe(1)
})

it('stores nothing that holds a secret', async () => {
  const { deps, memex } = await keeper()
  const finding = { rule: 'aws', severity: 'secret', start: 0, end: 3 } as const
  const bytes = utf8('key')
  const evidence = { digest: await sha256(bytes), bytes, meta }
  const scan = { loadSecrets: () => Promise.resolve(() => Promise.resolve([finding])) }
  expect(await keepEvidence({ ...deps, ...scan, memex }, owner, evidence)).toEqual({
    ok: false,
    error: 'secret',
  })
  expect(callsOf(memex, 'put')).toBe(0)
})

it('reports a store that fails, and throws nothing', async () => {
  const { deps, keep } = await keeper(inTurn('put', before('R2 is away')))
  expect(await keep('printed')).toEqual({ ok: false, error: 'store_failed' })
  expect(deps.reports).toMatchObject([{ level: 'error', event: 'store_failed', ...owner }])
  expect(JSON.stringify(deps.reports)).not.toContain('printed')
})
