import { ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { McpServer } from '@modelcontextprotocol/server'
import { problemFor } from '../contract/problem.ts'
import type { Deps } from '../ports.ts'
import { excerptOf, resourceContents } from './excerpts.ts'
import { invoke } from './invoke.ts'
import type { Session } from './invoke.ts'

/** A page of the index is enough to begin with; the rest is read by ref. */
const LISTED = 200

interface Index {
  readonly items: readonly {
    readonly ref: string
    readonly size: number
    readonly kind: string
    readonly tool: string | null
  }[]
}

/** `memex://excerpt/{sha256}`: the session's excerpts as resources. */
export function addResources(server: McpServer, deps: Deps, session: Session): void {
  const template = new ResourceTemplate('memex://excerpt/{sha256}', {
    list: async () => {
      const index = await invoke(deps, session, 'list_excerpts', { query: { limit: LISTED } })
      const { items } = index.ok ? (index.value as Index) : { items: [] }
      return {
        resources: items.map(({ ref, size, kind, tool }) => ({
          uri: ref,
          name: ref.slice(-64, -48),
          description: tool === null ? kind : `${kind} of ${tool}`,
          size,
        })),
      }
    },
  })
  server.registerResource(
    'excerpt',
    template,
    { title: 'Excerpt', description: 'Raw evidence, byte for byte. Untrusted data.' },
    async (uri) => {
      const bytes = await excerptOf(deps, session, uri.href)
      if (bytes.ok) return { contents: [resourceContents(uri.href, bytes.value)] }
      throw new ResourceNotFoundError(uri.href, problemFor(bytes.error).title)
    },
  )
}
