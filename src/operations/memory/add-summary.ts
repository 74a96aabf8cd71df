import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Operation } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { isParagraph } from '../../domain/memory/text/one-line.ts'
import { err, ok } from '../../domain/result.ts'
import type { Deps } from '../../ports.ts'
import { clearTexts } from '../memex/scan-evidence.ts'

/** Logs a summary of old turns; which turns may be summarized is decided inside the mission. */
export const addSummary: Operation<
  Contract['add_summary'],
  Pick<Deps, 'missions' | 'loadTokens' | 'loadSecrets' | 'now' | 'newId'>
> = async (deps, { caller, params, body }) => {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  if (!isParagraph(body.text))
    return err(
      failure('invalid_input', { errors: [{ pointer: '/text', detail: 'must be one paragraph' }] }),
    )
  const secrets = await clearTexts(deps, [['/text', body.text]])
  if (secrets !== null) return err(secrets)
  const owner = { tenant: caller.tenant, mission: params.mission }
  const count = await deps.loadTokens()
  const id = deps.newId()
  const logged = await deps.missions.applyAndRead(
    {
      ...owner,
      at: isoTime(deps.now()),
      event: { type: 'summarized', summary: { id, ...body, tokens: count(body.text) } },
    },
    [{ kind: 'summary', keys: [id] }],
  )
  if (!logged.ok) return logged
  const [entry] = logged.value.found
  if (entry === undefined) throw new Error('a summary was taken and not logged')
  const { line } = entry.body
  return ok(done({ id, line }, 'created'))
}
