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
  if (deps.missions === null || !(await provesContext(deps, owner, state, reading))) return
  await deps.missions.apply({
    ...owner,
    at: isoTime(deps.now()),
    event: { type: 'context_proved' },
  })
}

/** Whether a transcript is the proof that a mission waits for. */
export async function provesContext(
  deps: Omit<ProveDeps, 'now'>,
  owner: Owner,
  state: MissionState,
  reading: Reading,
): Promise<boolean> {
  if (state.fold !== 'accepted' || state.folding.proved_at !== null) return false
  const fold = await readArtifact(deps, owner, state.folding.artifacts, 'fold.md')
  return fold.ok && holdsOnlyFold(reading, utf8Text(fold.value) ?? '')
}
