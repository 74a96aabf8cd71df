import { digestOfRef } from '../domain/digest.ts'
import type { Sha256 } from '../domain/digest.ts'
import type { Unstorable } from '../domain/transcript/decision.ts'
import { plannedExcerpts } from '../domain/transcript/settle.ts'
import type { Plan } from '../domain/transcript/settle.ts'
import type { Deps, Owner } from '../ports.ts'
import { inParallel } from './in-parallel.ts'
import { holdsSecret } from './scan-evidence.ts'

export interface Stored {
  /** Why a result's bytes are not in the Memex, by the result's pointer. */
  readonly failures: ReadonlyMap<string, Unstorable>
  /** What this call put there that was not there before. */
  readonly created: readonly Sha256[]
}

/**
 * Puts all evidence of a plan into the Memex, verified, before anything may point at it. A store that
 * fails costs its own results only.
 */
export async function storeExcerpts(
  deps: Pick<Deps, 'memex' | 'loadSecrets' | 'report'>,
  owner: Owner,
  plan: Plan,
  at: string,
): Promise<Stored> {
  const failures = new Map<string, Unstorable>()
  const created: Sha256[] = []
  const { memex } = deps
  if (memex === null) return { failures, created }
  await inParallel(plannedExcerpts(plan), async (excerpt) => {
    const digest = digestOfRef(excerpt.ref)
    const [source = ''] = excerpt.pointers
    const meta = { kind: 'tool_output', source, tool: excerpt.tool, stored_at: at } as const
    if (await holdsSecret(deps, excerpt.bytes)) {
      for (const pointer of excerpt.pointers) failures.set(pointer, 'secret')
      return
    }
    try {
      if ((await memex.put(owner, digest, excerpt.bytes, meta)) === 'created') created.push(digest)
    } catch (error) {
      deps.report({ level: 'error', event: 'store_failed', error: String(error), ...owner })
      for (const pointer of excerpt.pointers) failures.set(pointer, 'store_failed')
    }
  })
  return { failures, created }
}
