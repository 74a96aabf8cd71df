import { utf8Text } from '../domain/bytes.ts'
import { isoTime } from '../domain/identifier.ts'
import { holdsOnlyFold } from '../domain/fold/context-proof.ts'
import type { MissionState } from '../domain/mission/state.ts'
import type { Reading } from '../domain/transcript/lens.ts'
import type { Deps, Owner } from '../ports.ts'
import { readArtifact } from './read-artifact.ts'

type ProveDeps = Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report' | 'now'>

/**
 * After a report whose transcript was seen: where the mission waits for the proof that its context
 * holds only the fold, and the transcript gives it, the gate's item is closed.
 */
export async function proveContext(
  deps: ProveDeps,
  owner: Owner,
  state: MissionState,
  reading: Reading,
): Promise<void> {
  const waits = state.fold === 'accepted' && state.folding.proved_at === null
  if (!waits || deps.missions === null) return
  const fold = await readArtifact(deps, owner, state.folding.artifacts, 'fold.md')
  if (!fold.ok || !holdsOnlyFold(reading, utf8Text(fold.value) ?? '')) return
  await deps.missions.apply({
    ...owner,
    at: isoTime(deps.now()),
    event: { type: 'context_proved' },
  })
}
