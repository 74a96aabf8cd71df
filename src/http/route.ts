import type { Context } from 'hono'
import { parseInput } from '../contract/input.ts'
import { readJson } from '../contract/json-body.ts'
import type { OperationRow } from '../contract/operation.ts'
import { paramNames, PARAMS } from '../contract/params.ts'
import { outOfReach } from '../contract/reach.ts'
import type { Claims } from '../domain/access/claims.ts'
import { holds } from '../domain/access/scope.ts'
import { failure } from '../domain/failure.ts'
import type { Failure, FailureCode } from '../domain/failure.ts'
import { err, ok } from '../domain/result.ts'
import type { Result } from '../domain/result.ts'
import type { Deps } from '../ports.ts'
import { authenticate, isRevoked } from './authenticate.ts'
import { isJson, MAX_JSON_BYTES, readBody } from './body.ts'
import { authorizationOf } from './socket-protocol.ts'

/** What a route hands to its operation; the row's types say more (`Call`). */
export interface Parsed {
  readonly caller: Claims
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly headers: Readonly<Record<string, string | null>>
  readonly body: unknown
  readonly source: string
}

const NOBODY: Claims = { tenant: 'nobody', scope: [], jti: 'no-token', iat: 0, exp: 0 } as never

/**
 * Everything that is checked before an operation runs, in one order for every route: token, path,
 * scope, reach, revocation, query, body. Nothing is read that an earlier check would refuse.
 */
export async function parseCall(
  deps: Deps,
  row: OperationRow,
  c: Context,
): Promise<Result<Parsed, Failure>> {
  const open = row.scope === 'none'
  const caller = open ? ok(NOBODY) : await authenticate(deps, authorizationOf(c))
  if (!caller.ok) return caller
  const params = pathParams(row, c)
  if (!params.ok) return params
  if (!open) {
    const refusal = await reach(deps, row, caller.value, params.value)
    if (refusal !== null) return err(refusal)
  }
  const query = row.query === undefined ? ok({}) : parseInput(row.query, c.req.query(), '/query')
  if (!query.ok) return query
  const body = await parseBody(row, c.req.raw)
  if (!body.ok) return body
  const headers = namedHeaders(row, c)
  return ok({
    caller: caller.value,
    params: params.value,
    query: query.value,
    headers,
    ...body.value,
  })
}

function pathParams(row: OperationRow, c: Context): Result<Record<string, string>, Failure> {
  const params: Record<string, string> = {}
  for (const name of paramNames(row.path)) {
    const value = c.req.param(name) ?? ''
    const syntax = PARAMS[name]
    if (syntax === undefined || !syntax.holds(value)) {
      const code = syntax?.failure ?? 'not_found'
      return err(failure(code, { errors: [{ pointer: `/path/${name}`, detail: 'not valid' }] }))
    }
    params[name] = value
  }
  return ok(params)
}

async function reach(
  deps: Deps,
  row: OperationRow,
  caller: Claims,
  params: Readonly<Record<string, string>>,
): Promise<Failure | null> {
  const refusal = outOfReach(row, caller, params['mission'])
  if (refusal !== null) return refusal
  // Reads of evidence trust a list up to 60 s old; whatever touches a mission's object does not, and
  // what a token reaches by another right is asked of the object.
  const fresh = row.scope !== 'memex:read' || !holds(caller.scope, row.scope)
  return (await isRevoked(deps, caller, fresh)) ? failure('token_revoked') : null
}

async function parseBody(
  row: OperationRow,
  request: Request,
): Promise<Result<{ body: unknown; source: string }, Failure>> {
  if (row.body === undefined) return ok({ body: undefined, source: '' })
  if (row.body === 'bytes') {
    const bytes = await readBody(
      request,
      row.maxBytes ?? MAX_JSON_BYTES,
      row.tooLarge ?? 'excerpt_too_large',
    )
    return bytes.ok ? ok({ body: bytes.value, source: '' }) : bytes
  }
  if (!isJson(request))
    return err(refusedAt('unsupported_media_type', '/header/content-type', 'must be JSON'))
  const bytes = await readBody(request, row.maxBytes ?? MAX_JSON_BYTES, 'body_too_large')
  if (!bytes.ok) return bytes
  const json = readJson(bytes.value)
  if (!json.ok) return json
  const body = parseInput(row.body, json.value.value)
  return body.ok ? ok({ body: body.value, source: json.value.source }) : body
}

const namedHeaders = (row: OperationRow, c: Context): Record<string, string | null> =>
  Object.fromEntries(Object.keys(row.reads ?? {}).map((name) => [name, c.req.header(name) ?? null]))

const refusedAt = (code: FailureCode, pointer: string, detail: string): Failure =>
  failure(code, { errors: [{ pointer, detail }] })
