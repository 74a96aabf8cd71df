import { describe, expect, it } from 'vitest'
import { advise, type Situation } from '../../../src/domain/ledger/advice.ts'

const calm: Situation = {
  halted: false,
  task_done: false,
  percent: 30,
  after_masking: false,
  maskable: 0,
  phase: 'traverse',
  has_findings: false,
  condensed: false,
  eligible: [],
  one_off: false,
}
const ranges = [{ from: 1, to: 5 }]
const rule = (changes: Partial<Situation>) => {
  const { action, rule } = advise({ ...calm, ...changes })
  return `${rule}: ${action}`
}

describe('the advice table', () => {
  it('halts a halted mission, whatever else holds', () => {
    expect(rule({ halted: true, task_done: true, percent: 99, maskable: 9 })).toBe('halted: halt')
  })

  it('switches when the task is done, before anything is compressed', () => {
    expect(rule({ task_done: true, percent: 99, maskable: 9 })).toBe('task_done: switch')
  })

  it('masks from 70 percent on while something is maskable', () => {
    expect(rule({ percent: 70, maskable: 1 })).toBe('maskable: mask')
    expect(rule({ percent: 69.99, maskable: 1 })).toBe('fine: continue')
    expect(rule({ percent: 95, maskable: 1 })).toBe('maskable: mask')
    expect(rule({ percent: 75, maskable: 1, phase: 'locate', has_findings: true })).toBe(
      'maskable: mask',
    )
  })

  it('checkpoints from 85 percent on when nothing is maskable', () => {
    expect(rule({ percent: 85 })).toBe('critical: checkpoint')
    expect(rule({ percent: 84.99, eligible: ranges })).toBe('condense: summarize')
    expect(rule({ percent: 120, phase: 'locate', has_findings: true })).toBe('critical: checkpoint')
  })

  it('folds from 60 percent on, in locate, once findings.md is there', () => {
    expect(rule({ percent: 60, phase: 'locate', has_findings: true })).toBe(
      'abstract_due: abstract',
    )
    expect(rule({ percent: 59.99, phase: 'locate', has_findings: true })).toBe('fine: continue')
    expect(rule({ percent: 60, phase: 'locate' })).toBe('fine: continue')
    expect(rule({ percent: 60, phase: 'abstract', has_findings: true })).toBe('fine: continue')
  })

  it('summarizes above 65 percent after masking', () => {
    expect(rule({ percent: 65.01, after_masking: true, eligible: ranges })).toBe(
      'condense: summarize',
    )
    expect(rule({ percent: 65, after_masking: true, eligible: ranges })).toBe('watch: hold')
    expect(rule({ percent: 65.01, eligible: ranges })).toBe('fine: continue')
  })

  it('summarizes from 70 percent on when nothing is maskable', () => {
    expect(rule({ percent: 70, eligible: ranges })).toBe('condense: summarize')
    expect(rule({ percent: 69.99, eligible: ranges })).toBe('fine: continue')
  })

  it('names the ranges to summarize', () => {
    expect(advise({ ...calm, percent: 70, eligible: ranges }).ranges).toEqual(ranges)
  })

  it('delegates, never summarizes a summary', () => {
    expect(rule({ percent: 72, condensed: true, eligible: ranges })).toBe('condensed: delegate')
    expect(rule({ percent: 66, after_masking: true, condensed: true })).toBe('condensed: delegate')
    expect(rule({ percent: 72, eligible: [] })).toBe('condensed: delegate')
  })

  it('switches where a one-off mission would delegate', () => {
    expect(rule({ percent: 72, condensed: true, one_off: true })).toBe('condensed: switch')
  })

  it('holds between 60 and 65 percent after masking', () => {
    expect(rule({ percent: 60, after_masking: true })).toBe('watch: hold')
    expect(rule({ percent: 65, after_masking: true })).toBe('watch: hold')
    expect(rule({ percent: 59.99, after_masking: true })).toBe('fine: continue')
    expect(rule({ percent: 62 })).toBe('fine: continue')
  })

  it('continues otherwise, and before the first report', () => {
    expect(rule({})).toBe('fine: continue')
    expect(rule({ percent: null, maskable: 3 })).toBe('fine: continue')
  })

  it('follows the thresholds of the mission', () => {
    const thresholds = { amber: 10, summarize: 20, red: 30, critical: 40 }
    expect(rule({ thresholds, percent: 30, maskable: 1 })).toBe('maskable: mask')
    expect(rule({ thresholds, percent: 40 })).toBe('critical: checkpoint')
    expect(rule({ thresholds, percent: 15, after_masking: true })).toBe('watch: hold')
  })

  it('gives one line of reason with the figure it judged', () => {
    for (const percent of [20, 62, 66, 71, 90]) {
      const { reason } = advise({ ...calm, percent, after_masking: true, eligible: ranges })
      expect(reason).toContain(`${percent} %`)
      expect(reason).not.toContain('\n')
    }
  })
})
