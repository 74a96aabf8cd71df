import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { dayOf, judgeBreadcrumb } from '../../domain/memory/entries/breadcrumb.ts'
import { dayPath } from '../../domain/memory/files/memory-path.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { clearTexts } from '../memex/scan-evidence.ts'

/** Appends a breadcrumb to the file of the day; from now on the advice is to switch. */
export const leaveBreadcrumb: Operation<
  Contract['leave_breadcrumb'],
  Pick<Deps, 'missions' | 'loadSecrets' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const judged = judgeBreadcrumb(body)
  if (!judged.ok) return judged
  const secrets = await clearTexts(deps, [
    ['/did', body.did],
    ...body.outputs.map((output, index) => [`/outputs/${index}`, output] as const),
    ['/next', body.next],
  ])
  if (secrets !== null) return err(secrets)
  const state = await deps.missions.apply({
    tenant: caller.tenant,
    mission: params.mission,
    at: isoTime(deps.now()),
    event: { type: 'breadcrumb_left', breadcrumb: body },
  })
  if (!state.ok) return state
  const { warnings, words } = judged.value
  const path = dayPath(dayOf(state.value.updated_at))
  return ok(done({ path, words, warnings: [...warnings] }, 'created'))
}
