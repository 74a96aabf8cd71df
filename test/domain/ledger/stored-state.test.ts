import { describe, expect, test } from 'vitest'
import { openedState } from '../../../src/domain/ledger/state.ts'
import { bringUpState, STATE_SCHEMA } from '../../../src/domain/ledger/stored-state.ts'

const AT = '2026-05-01T08:00:00.000Z'

/** What the first Worker with missions stored: it had no meter, masking, fold, hooks or memory. */
const FIRST = {
  tenant: 'acme',
  mission: 'refunds',
  version: 3,
  status: 'active',
  phase: 'assess',
  fold: 'none',
  settings: { objective: 'Find the limit.' },
  created_at: AT,
  updated_at: AT,
} as const

/** What a Worker stored that had every part, each without what was added to it later. */
const GROWN = {
  ...FIRST,
  meter: {
    reading: { percent: 41, tokens: 82_000, at: AT },
    calibration: null,
    turns: 7,
    maskable: 2,
    after_masking: true,
    task_done: false,
    extracts_due: [{ call_id: 'c1', tool: 'grep', turn: 2, bytes: 4096 }],
  },
  masking: {
    pinned: ['c9'],
    retained: ['7/c/1'],
    observed: { count: 4, turn: 3, turn_start: 3, next: 1, edge: 2, counted: 900, read_at: AT },
    regret: { transcript: '1 2 3', before: 1, after: 2 },
  },
  folding: {
    artifacts: { 'map.md': { name: 'map.md', ref: 'memex://excerpt/1', bytes: 3 } },
    locate_tokens: 900,
    accepted: { fold_sha256: 'a', prompt_sha256: 'b', rules_version: 1, at: AT },
    proved_at: null,
    halted_by: ['e1'],
    depth: 1,
    tool_calls: 12,
  },
  hooks: { parked: [{ to: 'locate', at: AT }], disabled: [], artifacts_at: { 'map.md': AT } },
  memory: {
    context: 3,
    summarised: [{ from: 1, to: 4 }],
    condensed: 'done',
    breadcrumb: true,
    task_done: false,
    last_breadcrumb: '2026-05-01 1',
    today: null,
    completed: { tasks: 2, with_breadcrumb: 1 },
  },
}

const old = (state: unknown) => bringUpState(0, JSON.parse(JSON.stringify(state)))

describe('a state from before schemas', () => {
  test('gets every part that a mission opens with, where the first Worker had none', () => {
    const opened = openedState('acme', 'refunds', FIRST.settings, AT)
    expect(old(FIRST)).toEqual({ ...opened, version: 3 })
  })

  test('gets what was added to its parts later, and keeps all that it says', () => {
    const state = old(GROWN)
    const { extracts_due, reading } = GROWN.meter
    const { summarised, condensed, breadcrumb } = GROWN.memory
    const { folding, hooks } = GROWN
    expect(state).toMatchObject({ ...FIRST, folding, hooks })
    expect(state.context).toMatchObject({
      number: 3,
      turns: 7,
      maskable: 2,
      after_masking: true,
      task_done: false,
      extracts_due,
      reading,
      summarised,
      condensed,
      breadcrumb,
      observed: GROWN.masking.observed,
    })
    expect(state.contexts).toEqual({ begun: 3, completed: 2, with_breadcrumb: 1 })
    expect(state.masking).toMatchObject({ pinned: ['c9'], retained: ['[7,"c/1"]'] })
    expect(state.memory).toEqual({ last_breadcrumb: '2026-05-01 1', today: null })
    expect(state.folding).toMatchObject({ round: 0, accepted: { reported: [] } })
    expect(state.hooks.reports).toEqual([])
    expect(state.context.unread).toEqual({ turns: 0, masked: false })
    expect(state.context.observed).toMatchObject({ saved: 0, first_position: null, regret: 0 })
    expect(state.masking.cost).toMatchObject({ calls: 0, raw: 0 })
    expect(state.context.calls).toMatchObject({
      recent: ['1 2 3'],
      before: { regret: 1 },
      after: { calls: 0, regret: 2 },
    })
  })

  test('keeps what it has of what was added later', () => {
    const state = old({
      ...GROWN,
      memory: { ...GROWN.memory, unread: { turns: 5, masked: true } },
      folding: { ...GROWN.folding, round: 2, accepted: null },
    })
    expect(state.context.unread).toEqual({ turns: 5, masked: true })
    expect(state.folding).toMatchObject({ round: 2, accepted: null })
  })
})

test('a state in the schema of today is read as it stands', () => {
  const state = old(GROWN)
  expect(bringUpState(STATE_SCHEMA, state)).toBe(state)
})
