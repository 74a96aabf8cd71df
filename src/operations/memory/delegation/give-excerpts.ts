import { digestOfRef } from '../../../domain/digest.ts'
import type { Ref } from '../../../domain/digest.ts'
import type { Failure, PointerError } from '../../../domain/failure.ts'
import { failure } from '../../../domain/failure.ts'
import { refsIn } from '../../../domain/memory/entries/packet.ts'
import { parseMemoryPath } from '../../../domain/memory/files/memory-path.ts'
import { err, ok } from '../../../domain/result.ts'
import type { Result } from '../../../domain/result.ts'
import type { Deps, Missions, Owner, StoredExcerpt } from '../../../ports.ts'
import { inParallel } from '../../in-parallel.ts'
import { readExcerpt } from '../../memex/read-excerpt.ts'

/** An excerpt of the parent's that a child is to be given, with what is known of it. */
export interface Gift {
  readonly ref: Ref
  readonly meta: StoredExcerpt
}

/**
 * The excerpts that a child is given: those whose refs stand among the paths, and the raw outputs
 * behind the parent's extracts among them. `excerpt_not_found`, `memory_file_not_found`.
 */
export async function excerptsToGive(
  deps: Pick<Deps, 'memex'> & { readonly missions: Missions },
  parent: Owner,
  paths: readonly string[],
): Promise<Result<readonly Gift[], Failure>> {
  const extracts = await extractRefs(deps.missions, parent, paths)
  if (!extracts.ok) return extracts
  const refs = [...new Set([...refsIn(paths), ...extracts.value])]
  if (refs.length === 0) return ok([])
  const { memex } = deps
  if (memex === null) return err(failure('storage_not_configured'))
  const metas = await inParallel(refs, (ref) => memex.head(parent, digestOfRef(ref)))
  const gifts = refs.flatMap((ref, index): Gift[] => {
    const meta = metas[index] ?? null
    return meta === null ? [] : [{ ref, meta }]
  })
  const missing = refs.find((_, index) => (metas[index] ?? null) === null)
  return missing === undefined
    ? ok(gifts)
    : err(failure('excerpt_not_found', { errors: pointers(paths, missing) }))
}

/**
 * Copies excerpts into the Memex of a child that is open already, so that whatever is copied has a
 * mission that can be erased. Nothing else of the parent can be read by the child. What was copied
 * into a child that was erased meanwhile is left to the caller, who erases it once more.
 */
export async function giveExcerpts(
  deps: Pick<Deps, 'memex' | 'excerptCache' | 'defer' | 'report'> & { readonly missions: Missions },
  parent: Owner,
  child: Owner,
  gifts: readonly Gift[],
  at: string,
): Promise<Failure | null> {
  const { memex } = deps
  const copied = await inParallel(gifts, async ({ meta, ref }): Promise<Failure | null> => {
    const sha256 = digestOfRef(ref)
    const bytes = await readExcerpt(deps, parent, sha256)
    if (!bytes.ok) return bytes.error
    const { kind, source, tool } = meta
    await memex?.put(child, sha256, bytes.value, {
      kind,
      ...(source === undefined ? {} : { source }),
      ...(tool === undefined ? {} : { tool }),
      stored_at: at,
    })
    return null
  })
  const refused = copied.find((one) => one !== null) ?? null
  if (refused !== null || copied.length === 0) return refused
  const view = await deps.missions.read(child)
  return view?.state.status === 'erased' ? failure('temporarily_unavailable') : null
}

/** The raw outputs of the extracts among the paths, with or without `memory/` before them. */
async function extractRefs(
  missions: Missions,
  parent: Owner,
  paths: readonly string[],
): Promise<Result<readonly Ref[], Failure>> {
  const keys = paths.flatMap((path) => {
    const parsed = parseMemoryPath(path.replace(/^memory\//, ''))
    return parsed?.file === 'extract' ? [parsed.path] : []
  })
  if (keys.length === 0) return ok([])
  const view = await missions.read(parent, [{ kind: 'extract', keys }])
  const found = new Map((view?.found ?? []).map(({ body, key }) => [key, body]))
  const missing = keys.filter((key) => !found.has(key))
  if (missing.length > 0)
    return err(
      failure('memory_file_not_found', { errors: missing.flatMap((key) => pointers(paths, key)) }),
    )
  return ok([...found.values()].flatMap(({ ref }): Ref[] => (ref === null ? [] : [ref])))
}

const pointers = (paths: readonly string[], named: string): readonly PointerError[] =>
  paths.flatMap((path, index) =>
    path === named || path === `memory/${named}`
      ? [{ pointer: `/paths/${index}`, detail: 'is not there' }]
      : [],
  )
