import { Hono } from 'hono'
import type { Context } from 'hono'
import { contract } from '../contract/contract.ts'
import type { Contract, OperationName } from '../contract/contract.ts'
import type { Answer, Call, OperationRow } from '../contract/operation.ts'
import { failureOfSurprise } from '../contract/surprise.ts'
import { failure } from '../domain/failure.ts'
import type { Failure } from '../domain/failure.ts'
import type { Result } from '../domain/result.ts'
import { operations } from '../operations/registry.ts'
import type { Deps } from '../ports.ts'
import { answered, refused } from './answer.ts'
import { crossOrigin } from './cross-origin.ts'
import { serveEvents } from './events.ts'
import { serveExcerpt } from './excerpts.ts'
import { answeredOnce } from './idempotency.ts'
import { addMcp } from './mcp.ts'
import type { Neighbours } from './mcp.ts'
import { parseCall } from './route.ts'
import { asksForSocket } from './socket-protocol.ts'

declare module 'hono' {
  /** What is known of a request while it is served. */
  interface ContextVariableMap {
    request_id: string
    operation?: OperationName
  }
}

/** The HTTP face: one route a row of the contract, and nothing that a row does not say. */
export function createApp(deps: Deps, neighbours: Neighbours = { hosts: null, origins: [] }): Hono {
  const app = new Hono({ strict: true })
  app.use(async function frame(c, next) {
    const id = deps.newId()
    const started = deps.now()
    c.set('request_id', id)
    await next()
    c.res.headers.set('x-request-id', id)
    c.res.headers.set('x-content-type-options', 'nosniff')
    c.res.headers.set('server-timing', `total;dur=${deps.now() - started}`)
  })
  if (neighbours.origins.length > 0) app.use(crossOrigin(neighbours.origins))
  for (const name of Object.keys(contract) as OperationName[]) addRoute(app, deps, name)
  addOtherMethods(app)
  addMcp(app, deps, neighbours)
  app.notFound(() => refused(failure('not_found')))
  app.onError(function surprise(error, c) {
    const { request_id, operation } = c.var
    const entry = { event: 'unexpected_error', request_id, operation, error: String(error) }
    deps.report({ level: 'error', ...entry })
    return refused(failureOfSurprise(error))
  })
  return app
}

function addRoute(app: Hono, deps: Deps, name: OperationName): void {
  const row: OperationRow = contract[name]
  app.on(row.method, honoPath(row.path), async function route(c) {
    c.set('operation', name)
    const call = await parseCall(deps, row, c)
    if (!call.ok) return refused(call.error)
    if (name === 'read_excerpt') return serveExcerpt(deps, c, call.value)
    // The row's schemas have just checked what an operation's type says of its call.
    if (name === 'list_events' && asksForSocket(c))
      return serveEvents(deps, c, call.value as Call<Contract['list_events']>)
    const run = operations[name] as Run
    return answeredOnce(deps, row, c, call.value, async function answer(its) {
      const result = await run(its, call.value)
      return result.ok ? answered(row.answers, result.value) : refused(result.error)
    })
  })
}

type Run = (deps: Deps, call: unknown) => Promise<Result<Answer<unknown>, Failure>>

/** A known path with another method is 405 with what it allows, not 404. */
function addOtherMethods(app: Hono): void {
  const methods = new Map<string, string[]>()
  for (const row of Object.values<OperationRow>(contract)) {
    const allowed = methods.get(honoPath(row.path)) ?? []
    allowed.push(row.method, ...(row.method === 'GET' ? ['HEAD'] : []))
    methods.set(honoPath(row.path), allowed)
  }
  // A path that is written out comes before one with a parameter in that place.
  const paths = [...methods].sort(([one], [other]) => parameters(one) - parameters(other))
  for (const [path, allowed] of paths) {
    app.all(path, function otherMethod(_c: Context) {
      const response = refused(failure('method_not_allowed'))
      response.headers.set('allow', allowed.join(', '))
      return response
    })
  }
}

/** `path` is the one parameter that has slashes in it. */
const honoPath = (path: string): string =>
  path.replaceAll('{path}', ':path{.+}').replaceAll(/\{(\w+)\}/g, ':$1')
const parameters = (path: string): number => path.split(':').length
