import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { formatRef } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'

/** The Memex index of a mission, straight from the store that holds the bytes. */
export const listExcerpts: Operation<
  Contract['list_excerpts'],
  Pick<Deps, 'memex' | 'missions'>
> = async (deps, { caller, params, query }) => {
  if (deps.memex === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const page = await deps.memex.list(owner, query)
  // Only an empty first page needs to know whether the mission is there at all.
  if (page.items.length === 0 && query.cursor === undefined) {
    const view = await deps.missions?.read(owner)
    if (!view || view.state.status === 'erased') return err(failure('mission_not_found'))
  }
  const items = page.items.map((excerpt) => ({
    ref: formatRef(excerpt.sha256),
    size: excerpt.size,
    kind: excerpt.kind,
    source: excerpt.source ?? null,
    tool: excerpt.tool ?? null,
    stored_at: excerpt.stored_at,
  }))
  return ok(done({ items, next_cursor: page.next_cursor }))
}
