import { beforeEach, describe, expect, it } from 'vitest'
import { behind, foldBench, mission, RAW, told } from '../../support/fold-bench.ts'
import type { FoldBench } from '../../support/fold-bench.ts'
import { FOLD } from '../../support/fold-case.ts'
import { rootToken } from '../../support/tokens.ts'

describe('the exit gate of a fold', () => {
  let api: FoldBench['api']
  let deps: FoldBench['deps']
  let masked: FoldBench['masked']
  let prompt: FoldBench['prompt']
  let refs: FoldBench['refs']
  let submit: FoldBench['submit']

  beforeEach(async () => {
    ;({ api, deps, masked, prompt, refs, submit } = await foldBench())
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
    await api.ok('unmask', { mission, body: { call_ids: ['masked'] } })
    expect(await proven(behind('masked', `${RAW} again`))).toBe(false)
    // A call of after the fold is not the trajectory's.
    expect(await proven(behind('new', RAW))).toBe(true)
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
})
