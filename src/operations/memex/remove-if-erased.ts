import type { Sha256 } from '../../domain/digest.ts'
import type { Failure } from '../../domain/failure.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'
import { inParallel } from '../in-parallel.ts'

/**
 * What a call stored must not survive its mission. The bytes are there before the mission is told of
 * them; where it was erased in between, its sweep may be over, so whoever created them removes them.
 * `told` is what the mission answered, `created` what this call put and nobody had put before.
 */
export async function removeIfErased(
  { memex }: Pick<Deps, 'memex'>,
  owner: Owner,
  created: readonly Sha256[],
  told: Result<unknown, Failure>,
): Promise<void> {
  if (told.ok || told.error.code !== 'mission_erased') return
  await inParallel(created, async (digest) => memex?.remove(owner, digest))
}
