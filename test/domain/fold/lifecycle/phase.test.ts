import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AcceptedFold } from '../../../../src/domain/fold/lifecycle/folding.ts'
import { exitGate } from '../../../../src/domain/fold/lifecycle/gate.ts'
import { movePhase } from '../../../../src/domain/fold/lifecycle/phase.ts'
import { abstractBudget, spendToolCall } from '../../../../src/domain/fold/lifecycle/tool-budget.ts'
import { openedState } from '../../../../src/domain/ledger/state.ts'
import type { MissionState } from '../../../../src/domain/ledger/state.ts'
import { PHASES } from '../../../../src/domain/mission/phases.ts'
import type { Phase } from '../../../../src/domain/mission/phases.ts'

const AT = '2026-11-30T09:00:00.000Z'
const opened = openedState('local', 'm-1', {}, AT)

const accepted: AcceptedFold = {
  fold_sha256: 'a'.repeat(64),
  prompt_sha256: 'b'.repeat(64),
  rules_version: 1,
  sections: true,
  refs: 3,
  fold_ratio: 0.05,
  at: AT,
}

const inPhase = (phase: Phase, folding: Partial<MissionState['folding']> = {}): MissionState => ({
  ...opened,
  phase,
  folding: { ...opened.folding, ...folding },
})

const gated = { accepted, proved_at: AT }

const openItems = (folding: Partial<MissionState['folding']>): readonly string[] =>
  exitGate(inPhase('abstract', folding))
    .items.filter(({ holds }) => !holds)
    .map(({ id }) => id)

describe('exitGate', () => {
  it('holds when all six of its items do', () => {
    const gate = exitGate(inPhase('abstract', gated))
    expect(gate.holds).toBe(true)
    expect(gate.items).toHaveLength(6)
    expect(gate.items.every(({ evidence }) => evidence !== '')).toBe(true)
  })

  it('names the items that are open', () => {
    expect(openItems({})).toEqual([
      'clean_context_fold',
      'five_sections',
      'validation_passed',
      'memex_populated',
      'context_holds_only_fold',
      'fold_ratio_recorded',
    ])
    expect(openItems({ ...gated, proved_at: null })).toEqual(['context_holds_only_fold'])
    expect(openItems({ ...gated, accepted: { ...accepted, refs: 0 } })).toEqual([])
    expect(openItems({ ...gated, accepted: { ...accepted, fold_ratio: null } })).toEqual([
      'fold_ratio_recorded',
    ])
  })
})

describe('movePhase', () => {
  it('moves forward only, and changes nothing where the mission is there already', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PHASES), fc.constantFrom(...PHASES), (from, to) => {
        const state = inPhase(from, gated)
        const moved = movePhase(state, to)
        if (from === to) expect(moved).toEqual({ ok: true, value: { state } })
        else if (PHASES.indexOf(to) < PHASES.indexOf(from))
          expect(moved).toMatchObject({ ok: false, error: { code: 'phase_backwards' } })
        else expect(moved).toMatchObject({ ok: true, value: { state: { phase: to } } })
      }),
    )
  })

  it('does not pass abstract before the gate holds, also in one step from before it', () => {
    for (const from of ['assess', 'traverse', 'locate', 'abstract'] as const)
      for (const to of ['synthesize', 'completed'] as const) {
        expect(movePhase(inPhase(from), to)).toMatchObject({
          ok: false,
          error: { code: 'gate_open', members: { open: expect.any(Array) } },
        })
        expect(movePhase(inPhase(from, gated), to).ok).toBe(true)
      }
    expect(movePhase(inPhase('locate'), 'abstract').ok).toBe(true)
  })

  it.each(['halted', 'completed'] as const)('does not move a mission that is %s', (status) => {
    expect(movePhase({ ...inPhase('locate'), status }, 'abstract')).toMatchObject({
      ok: false,
      error: { code: `mission_${status}` },
    })
  })
})

describe('the tool budget of abstract', () => {
  const withCalls = (max_tool_calls: number, tool_calls = 0): MissionState => ({
    ...inPhase('abstract', { tool_calls }),
    settings: { max_tool_calls },
  })

  it('is 5 % of max_tool_calls, rounded up', () => {
    const budgets = [1, 20, 21, 60, 61, 100, 1000].map((calls) => abstractBudget(withCalls(calls)))
    expect(budgets).toEqual([1, 1, 2, 3, 4, 5, 50])
    expect(abstractBudget(inPhase('abstract'))).toBeNull()
  })

  it('is spent call by call, then refuses', () => {
    expect(spendToolCall(withCalls(40, 1))).toMatchObject({
      ok: true,
      value: { state: { folding: { tool_calls: 2 } } },
    })
    expect(spendToolCall(withCalls(40, 2))).toMatchObject({
      ok: false,
      error: { code: 'tool_budget_exhausted' },
    })
    expect(spendToolCall({ ...withCalls(1, 9), phase: 'locate' }).ok).toBe(true)
  })
})
