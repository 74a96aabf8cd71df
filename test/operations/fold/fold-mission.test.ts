import { beforeEach, describe, expect, it } from 'vitest'
import type { Verdict } from '../../../src/domain/fold/checks/verdict.ts'
import { foldBench, MAP, mission } from '../../support/fold-bench.ts'
import type { FoldBench } from '../../support/fold-bench.ts'
import { FOLD, foldWith } from '../../support/fold-case.ts'
import { rootToken } from '../../support/tokens.ts'

describe('the fold of a mission', () => {
  let api: FoldBench['api']
  let deps: FoldBench['deps']
  let prompt: FoldBench['prompt']
  let refs: FoldBench['refs']
  let submit: FoldBench['submit']

  beforeEach(async () => {
    ;({ api, deps, prompt, refs, submit } = await foldBench())
  })

  it('is accepted once, and the same bytes hear the same verdict again', async () => {
    const sha = await prompt()
    const first = await submit(FOLD, sha)
    expect(first.status).toBe(200)
    const verdict = await first.text()
    expect((JSON.parse(verdict) as Verdict).accepted).toBe(true)
    expect(await (await submit(FOLD, sha)).text()).toBe(verdict)
    expect((await api.ok('get_mission', { mission })).fold).toBe('accepted')
    const other = await api.refused('submit_fold', {
      mission,
      body: { fold: `${FOLD}\n`, prompt_sha256: sha },
    })
    expect(other.code).toBe('fold_already_accepted')
    const kept = await api.ok('get_artifact', { mission, artifact: 'fold.md' })
    expect(new TextDecoder().decode(kept as unknown as Uint8Array)).toBe(FOLD)
  })

  it('halts the mission when it is rejected, until a human resumes it', async () => {
    const sha = await prompt()
    const bad = foldWith('FINDING-021 | M | lib/tasks/**  (ruled_out)\n', '')
    const rejected = await submit(bad, sha)
    expect(rejected.status).toBe(422)
    const problem = await rejected.text()
    expect(JSON.parse(problem)).toMatchObject({
      code: 'fold_rejected',
      verdict: { accepted: false },
    })
    expect(await (await submit(bad, sha)).text()).toBe(problem)
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      status: 'halted',
      fold: 'rejected',
      advice: { action: 'halt', rule: 'halted' },
    })
    const again = await api.refused('submit_fold', {
      mission,
      body: { fold: FOLD, prompt_sha256: sha },
    })
    expect(again.code).toBe('mission_halted')

    const [escalation] = (await api.ok('list_escalations', { mission })).items
    expect(escalation).toMatchObject({ trigger: 'fold_rejected', status: 'open' })
    const id = escalation?.id ?? ''
    const weak = await rootToken(deps.signer!, 'acme', { scope: ['mission:write'] })
    const refused = await api.refused('resolve_escalation', {
      mission,
      id,
      body: { decision: 'resume', note: 'go on' },
      token: weak,
    })
    expect(refused.code).toBe('insufficient_scope')
    await api.ok('resolve_escalation', {
      mission,
      id,
      body: { decision: 'resume', note: 'the index was cut off' },
    })
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      status: 'active',
      fold: 'none',
    })
    expect((await submit(FOLD, sha)).status).toBe(200)
  })

  it('is stale when it was made from other documents', async () => {
    const sha = await prompt()
    await api.ok('put_artifact', { mission, artifact: 'map.md', body: `${MAP}\nmore\n` })
    expect(await (await submit(FOLD, sha)).json()).toMatchObject({ code: 'prompt_stale' })
    expect((await submit(FOLD, await prompt())).status).toBe(200)
  })

  it('is rejected when a ref of the findings is not in the Memex', async () => {
    const sha256 = (refs[0] ?? '').slice(-64)
    await deps.memex!.remove({ tenant: 'acme', mission }, sha256 as never)
    deps = Object.assign(deps, { excerptCache: null })
    const verdict = (await (await submit(FOLD, await prompt())).json()) as { verdict: Verdict }
    const failed = verdict.verdict.checks.filter((check) => !check.passed)
    expect(failed.map((check) => check.id)).toEqual(['refs_resolve'])
    expect(failed[0]?.issues[0]).toMatchObject({ id: 'FINDING-017' })
    expect(failed[0]?.issues[0]?.message).toContain(sha256)
  })

  it('counts one verdict when two are submitted at once', async () => {
    const sha = await prompt()
    const bad = foldWith('FINDING-021 | M | lib/tasks/**  (ruled_out)\n', '')
    const answers = await Promise.all([submit(FOLD, sha), submit(bad, sha)])
    const statuses = answers.map((answer) => answer.status).toSorted((one, other) => one - other)
    expect([
      [200, 409],
      [409, 422],
    ]).toContainEqual(statuses)
  })

  it('names the documents that are missing', async () => {
    await api.ok('put_mission', { mission: 'bare', body: {} })
    await api.ok('put_artifact', { mission: 'bare', artifact: 'map.md', body: MAP })
    expect(await api.refused('fold_prompt', { mission: 'bare' })).toMatchObject({
      code: 'artifact_missing',
      missing: ['mission.md', 'findings.md'],
    })
  })

  it('refuses a document that is not UTF-8 at its first wrong byte', async () => {
    const body = new Uint8Array([0x23, 0x20, 0xc3, 0xa9, 0xff, 0x41])
    expect(await api.refused('put_artifact', { mission, artifact: 'map.md', body })).toMatchObject({
      code: 'invalid_utf8',
      offset: 4,
    })
    const cut = new Uint8Array([0x41, 0xe2, 0x82])
    expect(
      await api.refused('put_artifact', { mission, artifact: 'map.md', body: cut }),
    ).toMatchObject({ code: 'invalid_utf8', offset: 1 })
  })

  it('refuses a document over 1 MiB', async () => {
    const body = new Uint8Array(1024 * 1024 + 1).fill(0x41)
    expect(await api.refused('put_artifact', { mission, artifact: 'map.md', body })).toMatchObject({
      code: 'artifact_too_large',
    })
  })

  it('rejects an empty fold with a verdict', async () => {
    expect(await (await submit('', await prompt())).json()).toMatchObject({
      code: 'fold_rejected',
      verdict: { accepted: false },
    })
  })
})
