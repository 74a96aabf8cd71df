import type { Contract } from '../../../contract/contract.ts'
import { done } from '../../../contract/operation.ts'
import type { Operation } from '../../../contract/operation.ts'
import { formatCursor, parseCursor } from '../../../domain/cursor.ts'
import { failure } from '../../../domain/failure.ts'
import { ARTIFACTS } from '../../../domain/fold/lifecycle/artifact.ts'
import { dayPath, LOG_FILES } from '../../../domain/memory/files/memory-path.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Deps, Missions, Owner, Page } from '../../../ports.ts'
import { presentMission } from '../../missions/present-mission.ts'

interface Listed {
  readonly path: string
  readonly at: string
}

/** A part of the tree: its files from a place on, and the place where the next ones begin. */
type Section = (from: string, limit: number) => Promise<Page<Listed>>

/** The paths of the memory: the documents, the logs, the days, the extracts. */
export const listMemory: Operation<Contract['list_memory'], Pick<Deps, 'missions'>> = async (
  deps,
  { caller, params, query },
) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const page = await listed(sectionsOf(deps.missions, owner), query)
  return ok(done({ items: [...page.items], next_cursor: page.next_cursor }))
}

/** Goes through the sections until a page is full; the cursor names a section and a place in it. */
async function listed(
  sections: readonly Section[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<Page<Listed>> {
  const [first = 0, place = ''] =
    cursor === undefined ? [] : (parseCursor(cursor) ?? [sections.length])
  const items: Listed[] = []
  let from = String(place)
  for (let at = Number(first); at < sections.length; at++) {
    const page = await sections[at]?.(from, limit - items.length)
    items.push(...(page?.items ?? []))
    from = page?.next_cursor ?? ''
    const next = from === '' ? at + 1 : at
    if (items.length >= limit)
      return { items, next_cursor: next < sections.length ? formatCursor([next, from]) : null }
  }
  return { items, next_cursor: null }
}

const sectionsOf = (missions: Missions, owner: Owner): readonly Section[] => [
  async (from, limit) => {
    const files = [...(await documents(missions, owner)), ...(await logs(missions, owner))]
    const start = Number(from)
    const end = start + limit
    const items = files.slice(start, end)
    return { items, next_cursor: end < files.length ? String(end) : null }
  },
  recordSection(missions, owner, 'day', dayPath),
  recordSection(missions, owner, 'extract', (path) => path),
]

const recordSection =
  (
    missions: Missions,
    owner: Owner,
    kind: 'day' | 'extract',
    path: (key: string) => string,
  ): Section =>
  async (from, limit) => {
    const cursor = from === '' ? undefined : from
    const page = await missions.page(owner, kind, { limit, cursor })
    const items = page.items.map(({ at, key }) => ({ path: path(key), at }))
    return { items, next_cursor: page.next_cursor }
  }

async function documents(missions: Missions, owner: Owner): Promise<readonly Listed[]> {
  const view = await missions.read(owner, [{ kind: 'artifact', keys: ARTIFACTS }])
  const found = (view?.found ?? []).map(({ at, key }) => ({ path: key, at }))
  const artifacts = view?.state.folding.artifacts ?? {}
  return ARTIFACTS.filter((name) => artifacts[name] !== undefined).flatMap((name) =>
    found.filter(({ path }) => path === name),
  )
}

async function logs(missions: Missions, owner: Owner): Promise<readonly Listed[]> {
  const files: Listed[] = []
  for (const kind of ['masking', 'summary'] as const) {
    const { items } = await missions.page(owner, kind, { limit: 1, reverse: true })
    for (const { at } of items) files.push({ path: LOG_FILES[kind], at })
  }
  return files
}
