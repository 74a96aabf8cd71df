import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { utf8 } from '../../domain/bytes.ts'
import { sha256 } from '../../domain/digest.ts'
import { foldCapacity } from '../../domain/fold/judge/capacity.ts'
import { foldPrompt } from '../../domain/fold/lifecycle/prompt.ts'
import { ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { presentMission } from '../missions/present-mission.ts'
import { readSources } from './artifacts/read-artifact.ts'

/** The prompt of the ephemeral subagent, with its own digest, which a submission must name. */
export const foldPromptOf: Operation<
  Contract['fold_prompt'],
  Pick<Deps, 'missions' | 'memex' | 'excerptCache' | 'defer' | 'report' | 'loadTokens'>
> = async (deps, { caller, params }) => {
  const owner = { tenant: caller.tenant, mission: params.mission }
  const view = await presentMission(deps, owner)
  if (!view.ok) return view
  const sources = await readSources(deps, owner, view.value.state.folding.artifacts)
  if (!sources.ok) return sources
  const bytes = utf8(foldPrompt(sources.value))
  const capacity = foldCapacity(sources.value, await deps.loadTokens())
  const headers: Record<string, string> = { 'prompt-sha256': await sha256(bytes) }
  // Said before a fold is written: no wording saves a mission with too many findings.
  if (capacity.findings > capacity.fits)
    headers['fold-warning'] = `fold_cannot_fit; fits=${capacity.fits}`
  return ok({ ...done(bytes), headers })
}
