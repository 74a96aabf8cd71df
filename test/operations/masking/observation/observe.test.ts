import { describe, expect, it } from 'vitest'
import { utf8 } from '../../../../src/domain/bytes.ts'
import { sha256 } from '../../../../src/domain/digest.ts'
import { observe } from '../../../../src/operations/masking/observation/observe.ts'
import type { Deps } from '../../../../src/ports.ts'
import { count } from '../../../support/count-tokens.ts'
import { callsOf } from '../../../support/faults.ts'
import { memoryApi, memoryDeps } from '../../../support/memory-deps.ts'

const mission = 'm-1'

/** Deps that add up what an observation costs. */
function measuredDeps() {
  const deps = memoryDeps()
  const work = { characters: 0, bytes: 0 }
  const { memex } = deps
  const measured: Deps = {
    ...deps,
    loadTokens: () =>
      Promise.resolve((text: string) => {
        work.characters += text.length
        return Math.ceil(text.length / 4)
      }),
    memex: memex && {
      ...memex,
      put: (owner, digest, bytes, meta) => {
        work.bytes += bytes.length
        return memex.put(owner, digest, bytes, meta)
      },
    },
  }
  return { deps, measured, work }
}

const output = (turn: number): string => `line of turn ${turn}\n`.repeat(200)

describe('an observation', () => {
  it('stores what costs more than a placeholder, and asks for an extract from 2 KB on', async () => {
    const deps = memoryDeps()
    const api = await memoryApi({ ...deps, loadTokens: () => Promise.resolve(count) })
    await api.ok('put_mission', { mission, body: { model: 'claude-sonnet-4-5' } })
    const small = await api.ok('observe', {
      mission,
      body: { call_id: 'c1', tool: 'bash', turn: 1, output: 'ok' },
    })
    expect(small).toMatchObject({ bytes: 2, edits: [], extracts_due: [] })
    expect(small.ref).toBeUndefined()
    const text = output(2)
    const large = await api.ok('observe', {
      mission,
      body: { call_id: 'c2', tool: 'bash', turn: 2, output: text },
    })
    expect(large.ref).toBe(`memex://excerpt/${await sha256(utf8(text))}`)
    expect(large.extracts_due).toEqual([
      { call_id: 'c2', tool: 'bash', turn: 2, bytes: text.length },
    ])
  })

  it('keeps the JSON of an output that is no text, as it was sent', async () => {
    const deps = memoryDeps()
    const api = await memoryApi({ ...deps, loadTokens: () => Promise.resolve(count) })
    const json = `{"rows":[${'{"n":1.0,"id":12345678901234567890},'.repeat(40)}null]}`
    const body = `{"call_id":"c1","tool":"sql","turn":1,"output":${json}}`
    const { ref } = await api.ok('observe', { mission, body })
    const bytes = await api.ok('read_excerpt', { mission, sha256: (ref ?? '').slice(-64) })
    expect(new TextDecoder().decode(bytes as unknown as Uint8Array)).toBe(json)
  })

  it('answers edits that restore exactly, and the same ones to a repeated call', async () => {
    const deps = memoryDeps()
    const api = await memoryApi({ ...deps, loadTokens: () => Promise.resolve(count) })
    const policy = { trigger: { type: 'always' }, keep: 1 }
    await api.ok('put_mission', { mission, body: { model: 'claude-sonnet-4-5', policy } })
    const send = (turn: number) =>
      api.ok('observe', {
        mission,
        body: { call_id: `c${turn}`, tool: 'bash', turn, output: output(turn) },
      })
    await send(1)
    await send(2)
    const third = await send(3)
    expect(third.edits.map((edit) => edit.call_id)).toEqual(['c2'])
    expect((await send(3)).edits).toEqual(third.edits)
    const [edit] = third.edits
    const transcript = [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c2', type: 'function', function: { name: 'bash', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c2', content: edit?.placeholder },
    ]
    const restored = await api.ok('unmask', { mission, body: { request: transcript } })
    expect(restored.restored).toBe(1)
    expect((restored.request as typeof transcript)[1]?.content).toBe(output(2))
  })

  it('does the same work on turn 2,000 as on turn 20', async () => {
    const { deps, measured, work } = measuredDeps()
    const caller = { tenant: 'acme', scope: ['admin' as const], jti: 'jti-of-test', iat: 0, exp: 1 }
    const settings = {
      window_tokens: 200_000,
      policy: { trigger: { type: 'break_even' as const } },
    }
    await deps.missions?.apply({
      tenant: 'acme',
      mission,
      at: '2026-11-30T16:00:00.000Z',
      event: { type: 'configured', settings },
    })
    const costOf = async (turn: number) => {
      const before = { ...work, applied: callsOf(deps.missions!, 'applyAndRead') }
      const body = { call_id: `call-${turn}`, tool: 'bash', turn, output: output(turn % 10) }
      const call = { caller, params: { mission }, query: {}, source: '' }
      const answer = await observe(measured, { ...call, body: { ...body, is_error: false } })
      expect(answer.ok).toBe(true)
      return {
        characters: work.characters - before.characters,
        bytes: work.bytes - before.bytes,
        calls: callsOf(deps.missions!, 'applyAndRead') - before.applied,
      }
    }
    let early = null
    let late = null
    for (let turn = 1; turn <= 2000; turn++) {
      const cost = await costOf(turn)
      if (turn === 20) early = cost
      if (turn === 2000) late = cost
    }
    expect(late).toEqual(early)
    expect(late?.calls).toBe(1)
  })
})
