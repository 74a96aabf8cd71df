import { beforeEach, describe, expect, it } from 'vitest'
import { foldBench, mission } from '../../../support/fold-bench.ts'
import type { FoldBench } from '../../../support/fold-bench.ts'
import { FOLD, foldWith } from '../../../support/fold-case.ts'

describe('the escalations of a fold', () => {
  let api: FoldBench['api']
  let prompt: FoldBench['prompt']
  let submit: FoldBench['submit']

  beforeEach(async () => {
    ;({ api, prompt, submit } = await foldBench())
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
    const { child, resolution } = (await (await answer(mission, id, 'follow_up')).json()) as {
      child: string
      resolution: { child: string }
    }
    expect(child).toBe(resolution.child)
    const delegated = await api.ok('delegate', {
      mission: child,
      body: { objective: 'o', paths: [], success_criteria: 's', window_tokens: 1000 },
    })
    const { id: deeper } = await escalate(delegated.mission)
    expect(await (await answer(delegated.mission, deeper, 'follow_up')).json()).toMatchObject({
      code: 'follow_up_too_deep',
    })
  })

  it('leaves a mission halted when a resume answers one of two escalations that halt it', async () => {
    const [first, second] = [await escalate(mission), await escalate(mission)]
    expect((await answer(mission, first.id, 'resume')).status).toBe(200)
    expect(await api.ok('get_mission', { mission })).toMatchObject({ status: 'halted' })
    const move = { mission, body: { to: 'synthesize' } } as const
    expect(await api.refused('move_phase', move)).toMatchObject({ code: 'mission_halted' })
    expect((await answer(mission, second.id, 'resume')).status).toBe(200)
    expect(await api.ok('get_mission', { mission })).toMatchObject({ status: 'active' })
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
})
