import { beforeEach, describe, expect, it } from 'vitest'
import type { Verdict } from '../../../src/domain/fold/checks/verdict.ts'
import { foldBench, MAP, mission } from '../../support/fold-bench.ts'
import type { FoldBench } from '../../support/fold-bench.ts'
import { FOLD } from '../../support/fold-case.ts'

describe('the fold of a mission, a second time', () => {
  let api: FoldBench['api']
  let deps: FoldBench['deps']
  let prompt: FoldBench['prompt']
  let refs: FoldBench['refs']
  let submit: FoldBench['submit']

  beforeEach(async () => {
    ;({ api, deps, prompt, refs, submit } = await foldBench())
  })

  it('is withdrawn when a document changes before abstract is left, and by nothing else', async () => {
    const sha = await prompt()
    await submit(FOLD, sha)
    const holdsNothing = async () =>
      (await api.ok('exit_gate', { mission })).items.filter((item) => item.holds)
    const told = async () =>
      (await api.ok('list_events', { mission })).items.map(({ type }) => type)
    await api.ok('put_artifact', { mission, artifact: 'map.md', body: MAP })
    expect((await api.ok('get_mission', { mission })).fold).toBe('accepted')
    expect(await told()).not.toContain('fold.withdrawn')

    const more = `${MAP}\nFINDING-099 is not here.\n`
    await api.ok('put_artifact', { mission, artifact: 'map.md', body: more })
    expect((await api.ok('get_mission', { mission })).fold).toBe('none')
    expect(await holdsNothing()).toEqual([])
    expect(await told()).toContain('fold.withdrawn')
    expect((await api.refused('get_artifact', { mission, artifact: 'fold.md' })).code).toBe(
      'artifact_missing',
    )
    const files = (await api.ok('list_memory', { mission })).items.map(({ path }) => path)
    expect(files).not.toContain('fold.md')
    expect((await api.refused('read_memory_file', { mission, path: 'fold.md' })).code).toBe(
      'memory_file_not_found',
    )
    expect(await (await submit(FOLD, sha)).json()).toMatchObject({ code: 'prompt_stale' })
    expect((await submit(FOLD, await prompt())).status).toBe(200)
    expect((await api.ok('get_mission', { mission })).fold).toBe('accepted')
  })

  it('is judged anew when the documents are again what they were', async () => {
    const sha = await prompt()
    await submit(FOLD, sha)
    await api.ok('put_artifact', { mission, artifact: 'map.md', body: `${MAP}\nmore\n` })
    await api.ok('put_artifact', { mission, artifact: 'map.md', body: MAP })
    expect((await api.ok('get_mission', { mission })).fold).toBe('none')
    expect((await submit(FOLD, sha)).status).toBe(200)
    expect((await api.ok('get_mission', { mission })).fold).toBe('accepted')
  })

  it('can be accepted after a human resumed it, where only an excerpt was missing', async () => {
    const sha256 = (refs[0] ?? '').slice(-64)
    await deps.memex!.remove({ tenant: 'acme', mission }, sha256 as never)
    deps = Object.assign(deps, { excerptCache: null })
    const sha = await prompt()
    expect((await submit(FOLD, sha)).status).toBe(422)
    await api.ok('write_excerpt', { mission, body: 'evidence aaaa' })
    expect((await submit(FOLD, sha)).status).toBe(422)
    const [escalation] = (await api.ok('list_escalations', { mission })).items
    const body = { decision: 'resume', note: 'the excerpt is stored' }
    await api.ok('resolve_escalation', { mission, id: escalation?.id ?? '', body })
    expect((await submit(FOLD, sha)).status).toBe(200)
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      status: 'active',
      fold: 'accepted',
    })
  })

  it('takes the size of its trajectory also after it was accepted, once', async () => {
    const sha = await prompt()
    const size = (trajectory_tokens: number | undefined) =>
      submit(FOLD, sha, { trajectory_tokens }).then((response) => response.json())
    const open = async () => {
      const { items } = await api.ok('exit_gate', { mission })
      return items.find(({ id }) => id === 'fold_ratio_recorded')
    }
    const bare = (await size(undefined)) as Verdict
    expect(bare).toMatchObject({ accepted: true, warnings: [] })
    expect(bare.fold_ratio).toBeUndefined()
    expect(await open()).toMatchObject({ holds: false })
    expect((await open())?.evidence).toContain('trajectory_tokens')

    const fold_ratio = (bare.tokens.fold ?? 0) / 1000
    const warnings = [expect.objectContaining({ code: 'fold_ratio_over_target' })]
    const known = { ...bare, warnings, fold_ratio }
    for (const tokens of [1000, undefined, 7]) expect(await size(tokens)).toEqual(known)
    expect(await open()).toMatchObject({ holds: true, evidence: `fold_ratio ${fold_ratio}` })
    expect((await api.ok('fold_ratio')).items).toMatchObject([
      { mission, trajectory_tokens: 1000, fold_ratio },
    ])
  })
})
