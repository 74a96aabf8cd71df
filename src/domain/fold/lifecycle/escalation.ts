import type { Failure } from '../../failure.ts'
import { failure } from '../../failure.ts'
import type { EscalationRow } from '../../log/row.ts'
import type { Core } from '../../mission/core.ts'
import type { RecordWrite } from '../../mission/record.ts'
import type { Step } from '../../mission/step.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import type { HasFold } from './folding.ts'
import { nextRound } from './folding.ts'

type Decision = 'resume' | 'follow_up' | 'abandon'

/** A trigger that fired, or a fold that was rejected, and what a human said to it. */
export interface Escalation {
  readonly id: string
  readonly trigger: string
  readonly fired_at: string
  readonly on_probe: string | null
  readonly on_path: string | null
  readonly action_taken: string
  /** `open` halts the mission, `recorded` does not. */
  readonly status: 'open' | 'recorded' | 'resolved'
  readonly resolution: Resolution | null
}

export interface EscalationRecords {
  readonly escalation: Escalation
}

export interface Resolution {
  readonly decision: Decision
  readonly note: string
  readonly at: string
  readonly child: string | null
}

/** Writes an escalation down; one that halts opens it, and closes the mission to all but a human. */
export function escalate<S extends Core & HasFold>(
  state: S,
  escalation: Escalation,
  at: string,
): Step<S, EscalationRecords> {
  const halts = escalation.status === 'open'
  const { folding } = state
  const halted_by = halts ? [...folding.halted_by, escalation.id] : folding.halted_by
  return {
    state: {
      ...state,
      status: halts ? 'halted' : state.status,
      folding: { ...folding, halted_by },
    },
    ...written(state, escalation, at),
    told: [
      {
        type: halts ? 'escalation.opened' : 'escalation.recorded',
        data: { id: escalation.id, trigger: escalation.trigger },
      },
    ],
  }
}

/**
 * A human's answer: `resume` opens the mission again, once no other escalation halts it, and with it
 * the way for another fold; `follow_up` and `abandon` close it. A follow-up has none of its own.
 */
export function resolve<S extends Core & HasFold>(
  state: S,
  escalation: Escalation,
  resolution: Resolution,
): Result<Step<S, EscalationRecords>, Failure> {
  if (escalation.resolution !== null) return err(failure('escalation_resolved'))
  if (resolution.decision === 'follow_up' && state.folding.depth > 0)
    return err(failure('follow_up_too_deep'))
  const resolved: Escalation = { ...escalation, status: 'resolved', resolution }
  const halted_by = state.folding.halted_by.filter((id) => id !== escalation.id)
  const answered = { ...state, folding: { ...state.folding, halted_by } }
  return ok({
    state: after(answered, resolution.decision),
    ...written(state, resolved, resolution.at),
    told: [
      {
        type: 'escalation.resolved',
        data: { id: escalation.id, decision: resolution.decision },
      },
    ],
  })
}

function after<S extends Core & HasFold>(state: S, decision: Decision): S {
  if (decision !== 'resume') return { ...state, status: 'completed' }
  if (state.folding.halted_by.length > 0 || state.status !== 'halted') return state
  const resumed = { ...state, status: 'active' as const }
  return state.fold === 'rejected'
    ? { ...resumed, fold: 'none', folding: nextRound(state.folding) }
    : resumed
}

function written(
  { tenant, mission }: Core,
  escalation: Escalation,
  at: string,
): { records: readonly RecordWrite<EscalationRecords>[]; outbox: readonly EscalationRow[] } {
  const { id, trigger, status } = escalation
  return {
    records: [{ kind: 'escalation', key: id, at, body: escalation }],
    outbox: [
      {
        table: 'escalations',
        tenant,
        mission,
        id,
        at: escalation.fired_at,
        trigger,
        status,
        body: JSON.stringify(escalation),
      },
    ],
  }
}
