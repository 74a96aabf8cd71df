import type { TurnRange } from '../context/eligible.ts'
import type { Phase } from '../mission/phases.ts'
import type { Thresholds } from '../mission/thresholds.ts'
import { DEFAULT_THRESHOLDS } from '../mission/thresholds.ts'

export type Action =
  | 'halt'
  | 'switch'
  | 'mask'
  | 'checkpoint'
  | 'abstract'
  | 'summarize'
  | 'delegate'
  | 'hold'
  | 'continue'

export type Rule =
  | 'halted'
  | 'task_done'
  | 'maskable'
  | 'critical'
  | 'abstract_due'
  | 'condense'
  | 'condensed'
  | 'watch'
  | 'fine'

/** The one thing to do next, the rule that says so, and why, in one sentence. */
export interface Advice {
  readonly action: Action
  readonly rule: Rule
  readonly reason: string
  readonly ranges?: readonly TurnRange[]
}

export interface Situation {
  readonly halted: boolean
  /** The task was reported complete, or a breadcrumb was written in this context. */
  readonly task_done: boolean
  /** Null before the first report. */
  readonly percent: number | null
  /** Tool outputs were masked in this context and `percent` was read since. */
  readonly after_masking: boolean
  /** How many tool results a mask would replace now. */
  readonly maskable: number
  readonly phase: Phase
  readonly has_findings: boolean
  /** A summary was written in this context. */
  readonly condensed: boolean
  readonly eligible: readonly TurnRange[]
  readonly one_off: boolean
  readonly thresholds?: Thresholds | undefined
}

/** The advice table of DESIGN section 5, row by row: the first that matches answers. */
export function advise(situation: Situation): Advice {
  const limits = situation.thresholds ?? DEFAULT_THRESHOLDS
  const percent = situation.percent ?? 0
  const at = `The context is at ${percent} %`
  if (situation.halted)
    return advice('halt', 'halted', 'The mission is halted; a human answers its escalation first.')
  if (situation.task_done)
    return advice('switch', 'task_done', 'The task is done; its context is noise for the next one.')
  if (percent >= limits.red && situation.maskable > 0)
    return advice(
      'mask',
      'maskable',
      `${at} (${limits.red} % or more) and old tool outputs can be masked: ${situation.maskable}.`,
    )
  if (percent >= limits.critical)
    return advice(
      'checkpoint',
      'critical',
      `${at} (${limits.critical} % or more) and nothing can be masked: leave a breadcrumb, then switch.`,
    )
  if (percent >= limits.amber && situation.phase === 'locate' && situation.has_findings)
    return advice(
      'abstract',
      'abstract_due',
      `${at} (${limits.amber} % or more) and findings.md is there: fold the trajectory.`,
    )
  if (mustCondense(situation, percent, limits)) return condense(situation, at)
  if (situation.after_masking && percent >= limits.amber)
    return advice(
      'hold',
      'watch',
      `${at} after masking: between ${limits.amber} and ${limits.summarize} %, watch it.`,
    )
  return advice(
    'continue',
    'fine',
    situation.percent === null ? 'No context was reported yet.' : `${at}.`,
  )
}

const mustCondense = (situation: Situation, percent: number, limits: Thresholds): boolean =>
  (situation.after_masking && percent > limits.summarize) ||
  (percent >= limits.red && situation.maskable === 0)

function condense(situation: Situation, at: string): Advice {
  const why = situation.after_masking ? `${at} after masking` : `${at} and nothing can be masked`
  if (!situation.condensed && situation.eligible.length > 0)
    return {
      ...advice('summarize', 'condense', `${why}: summarize old reasoning, one paragraph a range.`),
      ranges: situation.eligible,
    }
  const spent = situation.condensed
    ? 'this context was condensed once already'
    : 'no range of old turns is eligible'
  return situation.one_off
    ? advice('switch', 'condensed', `${why}, ${spent}, and a one-off mission does not delegate.`)
    : advice(
        'delegate',
        'condensed',
        `${why}, and ${spent}: give the next sub-task a fresh context.`,
      )
}

const advice = (action: Action, rule: Rule, reason: string): Advice => ({ action, rule, reason })
