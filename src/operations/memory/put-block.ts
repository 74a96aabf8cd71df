import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { BLOCK_LABELS, measureBlock } from '../../domain/memory/entries/block.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { clearTexts } from '../memex/scan-evidence.ts'

/** Sets a block of the context, within its cap. */
export const putBlock: Operation<
  Contract['put_block'],
  Pick<Deps, 'missions' | 'loadSecrets' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const label = BLOCK_LABELS.find((known) => known === params.label)
  if (label === undefined) return err(failure('not_found'))
  const { text } = body
  const size = measureBlock(label, text)
  if (!size.ok) return size
  const secrets = await clearTexts(deps, [['/text', text]])
  if (secrets !== null) return err(secrets)
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: isoTime(deps.now()),
    event: { type: 'block_set', block: { ...size.value, text } },
  })
  return state.ok ? ok(done(size.value)) : state
}
