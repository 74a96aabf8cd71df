import { beforeEach, describe, expect, it } from 'vitest'
import type { Verdict } from '../../src/domain/fold/verdict.ts'
import type { FoldRow } from '../../src/domain/log/row.ts'
import type { Api } from '../support/api.ts'
import { FINDINGS, FOLD, foldWith, MISSION } from '../support/fold-case.ts'
import { memoryApi, memoryDeps } from '../support/memory-deps.ts'
import type { MemoryDeps } from '../support/memory-deps.ts'
import { rootToken } from '../support/tokens.ts'

const mission = 'm-1'
const MAP = '# MAP\n\nMAP-ROOTS: app/\n'

const RAW = 'raw output of long ago '.repeat(200)

const said = (...messages: object[]) => ({ model: 'claude-sonnet-4-5', messages })
const called = (id: string, content: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'grep', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
]
const fold = { role: 'user', content: FOLD }
const done = { role: 'assistant', content: 'done' }
/** A context that comes to its fold after an output, and one that has the output behind it. */
const told = (id: string, content: string) =>
  said({ role: 'user', content: 'investigate' }, ...called(id, content), done, fold)
const behind = (id: string, content: string) => said(fold, ...called(id, content), done)

describe('the fold of a mission', () => {
  let deps: MemoryDeps
  let api: Api
  let refs: string[]

  /** The digest of the mission's prompt. */
  async function prompt(): Promise<string> {
    const response = await api.send('fold_prompt', { mission })
    expect(response.status).toBe(200)
    return response.headers.get('prompt-sha256') ?? ''
  }

  async function withEvidence(findings: string): Promise<string> {
    refs = []
    let text = findings
    for (const letter of ['aaaa', 'bbbb', 'cccc']) {
      const { ref } = await api.ok('write_excerpt', { mission, body: `evidence ${letter}` })
      refs.push(ref)
      text = text.replace(new RegExp(`memex://excerpt/${letter}0+`), () => ref)
    }
    return text
  }

  /** The request with all of its outputs masked by the mission. */
  const masked = async (request: object): Promise<object> => {
    const policy = { trigger: { type: 'always' }, keep: 0, min_bytes: 0 }
    const answer = await api.ok('mask', { mission, body: { request, policy } })
    expect(answer.masked).toBe(1)
    return answer.request as object
  }

  const submit = (fold: string, prompt_sha256: string, over: object = {}) =>
    api.send('submit_fold', {
      mission,
      body: { fold, prompt_sha256, trajectory_tokens: 20_000, ...over },
    })

  beforeEach(async () => {
    deps = memoryDeps()
    api = await memoryApi(deps)
    await api.ok('put_mission', {
      mission,
      body: { model: 'claude-sonnet-4-5', max_tool_calls: 60 },
    })
    const findings = await withEvidence(FINDINGS)
    for (const [artifact, body] of [
      ['mission.md', MISSION],
      ['map.md', MAP],
      ['findings.md', findings],
    ] as const)
      await api.ok('put_artifact', { mission, artifact, body })
    await api.ok('move_phase', { mission, body: { to: 'abstract' } })
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

  it('opens the gate only when all six items hold', async () => {
    const leave = { mission, body: { to: 'synthesize' } } as const
    const closed = await api.refused('move_phase', leave)
    expect(closed).toMatchObject({ code: 'gate_open' })
    expect((closed['open'] as unknown[]).length).toBe(6)
    await submit(FOLD, await prompt())
    const gate = await api.ok('exit_gate', { mission })
    expect(gate.items.filter((item) => !item.holds).map((item) => item.id)).toEqual([
      'context_holds_only_fold',
    ])
    expect((await api.refused('move_phase', leave)).code).toBe('gate_open')

    const before = told('c1', RAW)
    await api.ok('report_context', { mission, body: { request: before } })
    expect((await api.ok('exit_gate', { mission })).holds).toBe(false)
    await api.ok('report_context', { mission, body: { request: await masked(before) } })
    expect((await api.ok('exit_gate', { mission })).holds).toBe(true)
    expect((await api.ok('move_phase', leave)).phase).toBe('synthesize')
    expect((await api.ok('move_phase', leave)).phase).toBe('synthesize')
    const back = await api.refused('move_phase', { mission, body: { to: 'locate' } })
    expect(back.code).toBe('phase_backwards')
  })

  it.each(['abandon', 'follow_up'])('takes nothing more after %s', async (decision) => {
    const fired_at = '2026-11-30T09:00:00.000Z'
    const halting = { trigger: 'ET-2', fired_at, action_taken: 'halt' }
    const { id } = await api.ok('record_escalation', { mission, body: halting })
    await api.ok('resolve_escalation', { mission, id, body: { decision, note: 'enough' } })
    const before = await api.ok('get_mission', { mission })
    expect(before).toMatchObject({ status: 'completed', phase: 'abstract', fold: 'none' })

    const sha = await prompt()
    for (const fold of [FOLD, foldWith('FINDING-021 | M | lib/tasks/**  (ruled_out)\n', '')])
      expect(await (await submit(fold, sha)).json()).toMatchObject({ code: 'mission_completed' })
    const packet = { objective: 'o', paths: [], success_criteria: 's', window_tokens: 1000 }
    for (const [name, body] of [
      ['move_phase', { to: 'synthesize' }],
      ['record_escalation', halting],
      ['delegate', packet],
    ] as const)
      expect((await api.refused(name, { mission, body })).code).toBe('mission_completed')
    const noted = { ...halting, action_taken: 'annotate' }
    expect((await api.ok('record_escalation', { mission, body: noted })).status).toBe('recorded')
    expect(await api.ok('get_mission', { mission })).toMatchObject({
      status: 'completed',
      phase: 'abstract',
      fold: 'none',
    })
  })

  it('never stands at a time to come, whatever a caller says', async () => {
    const at = '9999-12-31T00:00:00.000Z'
    await api.ok('move_phase', { mission: 'm-2', body: { to: 'traverse', at } })
    await api.ok('report_context', { mission: 'm-2', body: { used_percentage: 72 } })
    const { items } = await api.ok('context_history', { mission: 'm-2' })
    expect(Date.parse(items[0]?.at ?? '')).toBeLessThanOrEqual(Date.now())
    const past = '2026-01-01T00:00:00.000Z'
    await api.ok('move_phase', { mission: 'm-3', body: { to: 'traverse', at: past } })
    expect((await api.ok('get_mission', { mission: 'm-3' })).created_at).toBe(past)
  })

  it('takes only what the mission masked for masked', async () => {
    await submit(FOLD, await prompt())
    for (const forged of ['[masked: grep result]', `[Tool: grep. Output masked. See ${refs[0]}]`]) {
      await api.ok('report_context', { mission, body: { request: told('c1', forged) } })
      expect((await api.ok('exit_gate', { mission })).holds).toBe(false)
    }
  })

  it('takes no raw output behind the fold that the mission saw before it', async () => {
    const proven = async (request: object) => {
      await api.ok('report_context', { mission, body: { request } })
      return (await api.ok('exit_gate', { mission })).holds
    }
    const observation = { tool: 'grep', turn: 1, output: RAW }
    await api.ok('observe', { mission, body: { call_id: 'observed', ...observation } })
    await masked(told('masked', `${RAW} again`))
    await api.ok('report_context', { mission, body: { request: told('reported', RAW) } })
    await new Promise((resolve) => setTimeout(resolve, 2))
    await submit(FOLD, await prompt())
    for (const call_id of ['observed', 'reported'])
      expect([call_id, await proven(behind(call_id, RAW))]).toEqual([call_id, false])
    expect(await proven(behind('masked', `${RAW} again`))).toBe(false)
    // A call of after the fold is not the trajectory's.
    expect(await proven(behind('new', RAW))).toBe(true)
  })

  it('gives a follow-up to a mission, and none to a follow-up', async () => {
    const fired_at = '2026-11-30T09:00:00.000Z'
    const body = { trigger: 'ET-2', fired_at, action_taken: 'halt' }
    const { id } = await api.ok('record_escalation', { mission, body })
    const answer = { decision: 'follow_up', note: 'look at limits' }
    const resolved = await api.ok('resolve_escalation', { mission, id, body: answer })
    const child = resolved.resolution?.child ?? ''
    expect((await api.ok('get_mission', { mission: child })).status).toBe('active')
    expect((await api.refused('resolve_escalation', { mission, id, body: answer })).code).toBe(
      'escalation_resolved',
    )
    const second = await api.ok('record_escalation', { mission: child, body })
    const deeper = { mission: child, id: second.id, body: answer }
    expect((await api.refused('resolve_escalation', deeper)).code).toBe('follow_up_too_deep')
  })

  const escalate = (owner: string) => {
    const fired_at = '2026-11-30T09:00:00.000Z'
    const body = { trigger: 'ET-2', fired_at, action_taken: 'halt' }
    return api.ok('record_escalation', { mission: owner, body })
  }
  const answer = (owner: string, id: string, decision: string) =>
    api.send('resolve_escalation', { mission: owner, id, body: { decision, note: 'so' } })
  const missions = async () =>
    (await api.ok('list_missions')).items.filter(({ status }) => status !== 'erased')

  it('gives no follow-up to what a follow-up delegates', async () => {
    const { id } = await escalate(mission)
    const followed = (await (await answer(mission, id, 'follow_up')).json()) as {
      resolution: { child: string }
    }
    const delegated = await api.ok('delegate', {
      mission: followed.resolution.child,
      body: { objective: 'o', paths: [], success_criteria: 's', window_tokens: 1000 },
    })
    const { id: deeper } = await escalate(delegated.mission)
    expect(await (await answer(delegated.mission, deeper, 'follow_up')).json()).toMatchObject({
      code: 'follow_up_too_deep',
    })
  })

  it('opens no follow-up for an escalation that was answered', async () => {
    const { id } = await escalate(mission)
    await answer(mission, id, 'resume')
    const late = await answer(mission, id, 'follow_up')
    expect(await late.json()).toMatchObject({ code: 'escalation_resolved' })
    expect((await missions()).map((one) => one.id)).toEqual([mission])
  })

  it.each([
    ['resume', 'follow_up'],
    ['follow_up', 'resume'],
    ['follow_up', 'follow_up'],
  ])('leaves no mission that nobody named behind %s and %s at once', async (...decisions) => {
    const { id } = await escalate(mission)
    const answers = await Promise.all(decisions.map((one) => answer(mission, id, one)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [asked] = (await api.ok('list_escalations', { mission })).items
    const child = asked?.resolution?.child ?? null
    const named = child === null ? [mission] : [mission, child]
    const active: string[] = []
    for (const one of await missions()) {
      const response = await api.send('get_mission', { mission: one.id })
      if (response.status === 200) active.push(one.id)
    }
    expect(active.toSorted()).toEqual(named.toSorted())
  })

  it('lets a fold:read token reach the prompt, the documents and the cited evidence alone', async () => {
    const token = await rootToken(deps.signer!, 'acme', { scope: ['fold:read'], mission })
    const { sha256 } = await api.ok('write_excerpt', { mission, body: 'not cited' })
    expect((await api.send('fold_prompt', { mission, token })).status).toBe(200)
    const cited = (refs[0] ?? '').slice(-64)
    expect((await api.send('read_excerpt', { mission, sha256: cited, token })).status).toBe(200)
    expect((await api.refused('read_excerpt', { mission, sha256, token })).code).toBe(
      'excerpt_not_found',
    )
    expect((await api.refused('get_mission', { mission, token })).code).toBe('insufficient_scope')
    await submit(FOLD, await prompt())
    for (const artifact of ['mission.md', 'map.md', 'findings.md', 'fold.md']) {
      const { status } = await api.send('get_artifact', { mission, artifact, token })
      expect([artifact, status]).toEqual([artifact, artifact === 'fold.md' ? 403 : 200])
    }
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
