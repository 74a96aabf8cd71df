import { contract } from '../contract/contract.ts'
import type { OperationName } from '../contract/contract.ts'
import { parseInput } from '../contract/input.ts'
import type { OperationRow } from '../contract/operation.ts'
import { paramNames, PARAMS } from '../contract/params.ts'
import { outOfReach } from '../contract/reach.ts'
import type { Claims } from '../domain/access/claims.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import { isIdentifier } from '../domain/identifier.ts'
import { err, ok } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'
import { operations } from '../operations/registry.ts'
import type { Deps } from '../ports.ts'

/** Who speaks, and the mission that calls are about unless they name one. */
export interface Session {
  readonly caller: Claims
  readonly mission: string | null
}

type Callable = keyof typeof operations & OperationName

/** A call in the words of the contract; the mission is the session's. */
interface Input {
  readonly query?: unknown
  readonly body?: unknown
  readonly params?: Readonly<Record<string, string>>
}

/** Calls an operation as its HTTP route would: scope, reach and schema are the row's. */
export async function invoke(
  deps: Deps,
  session: Session,
  name: Callable,
  input: Input,
): Promise<Result<unknown, Failure>> {
  const row: OperationRow = contract[name]
  const mission = missionOf(session, row, undefined)
  if (!mission.ok) return mission
  const params: Record<string, string> = { ...input.params, mission: mission.value }
  for (const name of paramNames(row.path))
    if (PARAMS[name]?.holds(params[name] ?? '') !== true)
      return err(failure(PARAMS[name]?.failure ?? 'not_found'))
  const query = row.query === undefined ? ok({}) : parseInput(row.query, input.query ?? {})
  if (!query.ok) return query
  const body =
    row.body === undefined || row.body === 'bytes'
      ? ok(input.body)
      : parseInput(row.body, input.body)
  if (!body.ok) return body
  // The row's schemas have just checked what the operation's type says of its call.
  const run = operations[name] as (deps: Deps, call: unknown) => Promise<Answered>
  const result = await run(deps, {
    caller: session.caller,
    params,
    query: query.value,
    body: body.value,
    source: input.body instanceof Uint8Array ? '' : JSON.stringify(input.body ?? null),
  })
  return result.ok ? ok(result.value.body) : result
}

/** The mission that a call is about, if the token reaches it with this operation. */
export function missionOf(
  session: Session,
  row: OperationRow,
  named: string | undefined,
): Result<string, Failure> {
  const mission = named ?? session.mission
  if (mission === null)
    return err(
      failure('invalid_input', {
        hint: 'Name the mission in the call, in the URL (/mcp/{mission}) or in the token.',
        errors: [{ pointer: '/mission', detail: 'missing' }],
      }),
    )
  if (!isIdentifier(mission)) return err(failure('invalid_identifier'))
  const refusal = outOfReach(row, session.caller, mission)
  return refusal === null ? ok(mission) : err(refusal)
}

type Answered = Result<{ readonly body: unknown }, Failure>
