import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'

/**
 * Counts one tool call of a mission in its abstract phase, or `tool_budget_exhausted`. In other
 * phases nothing is written; a mission that was never opened stays so.
 */
export async function spendToolCall(
  deps: Pick<Deps, 'missions' | 'now'>,
  owner: Owner,
): Promise<Result<null, Failure>> {
  const view = await deps.missions?.read(owner)
  if (!view || view.state.status === 'erased' || view.state.phase !== 'abstract') return ok(null)
  const event = { type: 'tool_called' } as const
  const spent = await deps.missions?.apply({ ...owner, at: isoTime(deps.now()), event })
  return spent === undefined || spent.ok ? ok(null) : spent
}
