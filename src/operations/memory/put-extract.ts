import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { parseRef } from '../../domain/digest.ts'
import type { Ref } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { extractClause } from '../../domain/masking/masks/placeholder.ts'
import { extractPath, refusedBullets } from '../../domain/memory/entries/extract.ts'
import { extractedTurnKey } from '../../domain/memory/keep-extract.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { clearTexts } from '../memex/scan-evidence.ts'

/** Keeps an extract, and answers the path of its file in the memory. */
export const putExtract: Operation<
  Contract['put_extract'],
  Pick<Deps, 'missions' | 'memex' | 'loadTokens' | 'loadSecrets' | 'now'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  const { bullets, call_id, tool } = body
  const refused = refusedBullets(bullets)
  if (refused !== null) return err(refused)
  const secrets = await clearTexts(
    deps,
    bullets.map((bullet, index) => [`/bullets/${index}`, bullet] as const),
  )
  if (secrets !== null) return err(secrets)
  const owner = { tenant: caller.tenant, mission: params.mission }
  const sha256 = body.ref === undefined ? null : parseRef(body.ref)
  if (sha256 !== null && (await deps.memex?.head(owner, sha256)) === null)
    return err(
      failure('excerpt_not_found', { errors: [{ pointer: '/ref', detail: 'not stored' }] }),
    )
  const { task } = params
  const turn = Number(params.turn)
  const ref = (body.ref ?? null) as Ref | null
  const count = await deps.loadTokens()
  const kept = await deps.missions.applyAndRead(
    {
      ...owner,
      at: isoTime(deps.now()),
      event: {
        type: 'extracted',
        extract: { task, turn, call_id, tool, bullets, ref },
        tokens: count(extractClause(`memory/${extractPath(task, turn, 1)}`)),
      },
    },
    [{ kind: 'extracted', keys: [extractedTurnKey(task, turn)] }],
  )
  if (!kept.ok) return kept
  const [found] = kept.value.found
  if (found === undefined || !('calls' in found.body))
    throw new Error('an extract was kept without its turn')
  const { calls } = found.body
  return ok(done({ path: extractPath(task, turn, calls.indexOf(call_id) + 1) }))
}
