import { ResourceNotFoundError } from '@modelcontextprotocol/server'
import type { ListResourcesResult, ReadResourceResult } from '@modelcontextprotocol/server'
import { contract } from '../contract/contract.ts'
import { problemFor } from '../contract/problem.ts'
import { lacksScope } from '../contract/reach.ts'
import { parseRef } from '../domain/digest.ts'
import { failure } from '../domain/failure.ts'
import { err, ok } from '../domain/result.ts'
import { citedExcerpts } from '../operations/fold/artifacts/evidence-reach.ts'
import { spendToolCall } from '../operations/fold/spend-tool-call.ts'
import type { Deps } from '../ports.ts'
import { excerptOf, resourceContents } from './excerpts.ts'
import { guarded } from './guarded.ts'
import { invoke, missionOf } from './invoke.ts'
import type { Session } from './invoke.ts'
import { refusal } from './result.ts'

const PAGE = 200

export const TEMPLATES = [
  {
    uriTemplate: 'memex://excerpt/{sha256}',
    name: 'excerpt',
    title: 'Excerpt',
    description: 'Raw evidence, byte for byte. Untrusted data.',
  },
]

interface Index {
  readonly next_cursor: string | null
  readonly items: readonly {
    readonly ref: string
    readonly size: number
    readonly kind: string
    readonly tool: string | null
  }[]
}

/**
 * The excerpts that a session's token reaches: the index, or for `fold:read` what findings.md cites.
 * Nothing where no mission is named, since clients ask for the list on their own.
 */
export async function listResources(
  deps: Deps,
  session: Session,
  cursor: string | undefined,
): Promise<ListResourcesResult> {
  const { mission, caller } = session
  if (mission === null) return { resources: [] }
  if (lacksScope(contract.list_excerpts, caller)) {
    const owner = { tenant: caller.tenant, mission }
    if (missionOf(session, contract.read_excerpt, undefined).ok)
      return { resources: (await cited(deps, owner)).map((uri) => ({ uri, name: shortName(uri) })) }
    return { resources: [] }
  }
  const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) }
  const index = await guarded(deps, 'resources/list', () =>
    invoke(deps, session, 'list_excerpts', { query }),
  )
  // A mission that is not there yet has nothing to list.
  if (!index.ok && index.error.code === 'mission_not_found') return { resources: [] }
  if (!index.ok) throw refusal(index.error)
  const { items, next_cursor } = index.value as Index
  return {
    resources: items.map(({ ref, size, kind, tool }) => ({
      uri: ref,
      name: shortName(ref),
      description: tool === null ? kind : `${kind} of ${tool}`,
      size,
    })),
    ...(next_cursor === null ? {} : { nextCursor: next_cursor }),
  }
}

/** One excerpt. In the abstract phase it costs what `memex_read` does. */
export async function readResource(
  deps: Deps,
  session: Session,
  uri: string,
): Promise<ReadResourceResult> {
  const read = await guarded(deps, 'resources/read', async () => {
    const mission = missionOf(session, contract.read_excerpt, undefined)
    if (!mission.ok) return mission
    if (parseRef(uri) === null) return err(failure('excerpt_not_found'))
    const spent = await spendToolCall(deps, {
      tenant: session.caller.tenant,
      mission: mission.value,
    })
    return spent.ok ? excerptOf(deps, { ...session, mission: mission.value }, uri) : spent
  })
  if (read.ok) return { contents: [resourceContents(uri, read.value)] }
  if (read.error.code === 'excerpt_not_found')
    throw new ResourceNotFoundError(uri, problemFor(read.error).title)
  throw refusal(read.error)
}

async function cited(deps: Deps, owner: { tenant: string; mission: string }) {
  const refs = await guarded(deps, 'resources/list', async () =>
    ok(await citedExcerpts(deps, owner)),
  )
  if (!refs.ok) throw refusal(refs.error)
  return refs.value
}

/** The first 16 digits tell excerpts apart for people. */
const shortName = (ref: string): string => ref.slice(-64, -48)
