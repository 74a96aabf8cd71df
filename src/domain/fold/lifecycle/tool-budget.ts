import type { Failure } from '../../failure.ts'
import { failure } from '../../failure.ts'
import type { Core } from '../../mission/core.ts'
import type { Step } from '../../mission/step.ts'
import { err, ok } from '../../result.ts'
import type { Result } from '../../result.ts'
import type { HasFold } from './folding.ts'

/** The abstract phase may spend 5 % of the mission's tool calls (seed, "Contract"). */
const ABSTRACT_SHARE = 0.05

/** How many tool calls the abstract phase has, rounded up; null where the mission has no budget. */
export const abstractBudget = ({ settings }: Core): number | null =>
  settings.max_tool_calls === undefined ? null : Math.ceil(settings.max_tool_calls * ABSTRACT_SHARE)

/** One more tool call in abstract, or `tool_budget_exhausted`. In other phases it costs nothing. */
export function spendToolCall<S extends Core & HasFold>(state: S): Result<Step<S>, Failure> {
  const budget = abstractBudget(state)
  if (state.phase !== 'abstract' || budget === null) return ok({ state })
  const { tool_calls } = state.folding
  if (tool_calls >= budget)
    return err(
      failure('tool_budget_exhausted', { detail: `${tool_calls} of ${budget} calls used` }),
    )
  const folding = { ...state.folding, tool_calls: tool_calls + 1 }
  return ok({ state: { ...state, folding } })
}
