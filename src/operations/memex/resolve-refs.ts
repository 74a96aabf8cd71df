import { parseRef } from '../../domain/digest.ts'
import type { RefState } from '../../domain/fold/checks/facts.ts'
import { eachRef } from '../../domain/fold/documents/findings/refs.ts'
import type { Deps, Owner } from '../../ports.ts'
import { inParallel } from '../in-parallel.ts'
import { readExcerpt } from './read-excerpt.ts'

type ReadDeps = Pick<Deps, 'memex' | 'excerptCache' | 'defer' | 'report'>

/** Every excerpt ref that findings.md writes, each once. */
export function citedRefs(findings_md: string): readonly string[] {
  const refs = new Set<string>()
  eachRef(findings_md, (ref) => void refs.add(ref))
  return [...refs]
}

/** What the Memex says of every cited ref: each is read and hashed again. */
export async function resolveRefs(
  deps: ReadDeps,
  owner: Owner,
  findings_md: string,
): Promise<ReadonlyMap<string, RefState>> {
  const states = await inParallel(
    citedRefs(findings_md),
    async (ref): Promise<[string, RefState]> => {
      const sha256 = parseRef(ref)
      if (sha256 === null) return [ref, 'missing']
      const read = await readExcerpt(deps, owner, sha256)
      if (read.ok) return [ref, 'ok']
      return [ref, read.error.code === 'excerpt_corrupt' ? 'corrupt' : 'missing']
    },
  )
  return new Map(states)
}
