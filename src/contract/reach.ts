import type { Claims } from '../domain/access/claims.ts'
import { holds } from '../domain/access/scope.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import { unreachable } from './operation.ts'
import type { OperationRow } from './operation.ts'

/** Why a token may not call an operation on a mission, or null: by scope, then by the mission. */
export function outOfReach(
  row: OperationRow,
  caller: Claims,
  mission: string | undefined,
): Failure | null {
  if (lacksScope(row, caller))
    return failure('insufficient_scope', { detail: `needs ${row.scope}` })
  if (mission !== undefined && (caller.mission ?? mission) !== mission)
    return failure(unreachable(row))
  return null
}

/** Whether a token holds none of the rights that reach an operation or a part of it. */
export const lacksScope = ({ scope, alsoScope }: OperationRow, caller: Claims): boolean =>
  scope !== 'any' &&
  scope !== 'none' &&
  !holds(caller.scope, scope) &&
  !(alsoScope !== undefined && holds(caller.scope, alsoScope))
