import { unreachable } from './operation.ts'
import type { OperationRow } from './operation.ts'
import { holds } from '../domain/access/scope.ts'
import type { Claims } from '../domain/access/claims.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'

/** Why a token may not call an operation on a mission, or null: by scope, then by the mission. */
export function outOfReach(
  row: OperationRow,
  caller: Claims,
  mission: string | undefined,
): Failure | null {
  const { scope, alsoScope } = row
  const partly = alsoScope !== undefined && holds(caller.scope, alsoScope)
  if (scope !== 'any' && scope !== 'none' && !partly && !holds(caller.scope, scope))
    return failure('insufficient_scope', { detail: `needs ${scope}` })
  if (mission !== undefined && (caller.mission ?? mission) !== mission)
    return failure(unreachable(row))
  return null
}
