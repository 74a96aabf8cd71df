import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Call, Operation } from '../../contract/operation.ts'
import { formatRef, parseSha256, sha256 } from '../../domain/digest.ts'
import type { Sha256 } from '../../domain/digest.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import type { ExcerptKind } from '../../domain/memex/excerpt.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'
import { removeIfErased } from './remove-if-erased.ts'
import { clearEvidence, clearTexts } from './scan-evidence.ts'

type WriteDeps = Pick<Deps, 'memex' | 'missions' | 'loadSecrets' | 'report' | 'now'>
type Row = Contract['write_excerpt']

/** Stores bytes under the digest that they have. */
export const writeExcerpt: Operation<Row, WriteDeps> = async (deps, call) =>
  store(deps, call, await sha256(call.body))

/** Stores bytes under the digest that the path claims, or refuses them: `digest_mismatch`. */
export const putExcerpt: Operation<Contract['put_excerpt'], WriteDeps> = async (deps, call) => {
  const claimed = parseSha256(call.params.sha256)
  if (claimed === null) return err(failure('invalid_digest'))
  if ((await sha256(call.body)) !== claimed)
    return err(
      failure('digest_mismatch', {
        errors: [{ pointer: '/path/sha256', detail: 'is not the digest of the body' }],
      }),
    )
  return store(deps, call, claimed)
}

async function store(
  deps: WriteDeps,
  call: Pick<Call<Row>, 'caller' | 'params' | 'query' | 'body'>,
  digest: Sha256,
): ReturnType<Operation<Row, WriteDeps>> {
  if (deps.memex === null) return err(failure('storage_not_configured'))
  const kind = evidenceKind(call.query.kind, call.query.audit)
  if (!kind.ok) return kind
  const warnings = await clearEvidence(deps, call.caller, call.body, call.query.allow)
  if (!warnings.ok) return warnings
  const { source, tool } = call.query
  const secrets = await clearTexts(deps, [['/query/source', source]])
  if (secrets !== null) return err(secrets)
  const owner = { tenant: call.caller.tenant, mission: call.params.mission }
  const put = await deps.memex.put(owner, digest, call.body, {
    kind: kind.value,
    ...(source === undefined ? {} : { source }),
    ...(tool === undefined ? {} : { tool }),
    stored_at: isoTime(deps.now()),
  })
  const created = put === 'created'
  const opened = await open(deps, owner)
  await removeIfErased(deps, owner, created ? [digest] : [], opened)
  if (!opened.ok) return opened
  // The first writer's word on what the bytes are stays.
  const there = created ? null : await deps.memex.head(owner, digest)
  const answer = {
    ref: formatRef(digest),
    sha256: digest,
    size: call.body.length,
    kind: there?.kind ?? kind.value,
    created,
    warnings: warnings.value,
  }
  return ok(done(answer, created ? 'created' : 'ok'))
}

function evidenceKind(kind: ExcerptKind | 'summary', audit: boolean): Result<ExcerptKind, Failure> {
  if (kind === 'summary') return err(failure('kind_not_evidence'))
  if (kind === 'transcript' && !audit)
    return err(
      failure('kind_not_evidence', {
        detail: 'a transcript is stored for audit only',
        hint: 'Pass audit=true.',
      }),
    )
  return ok(kind)
}

/** The first write of a mission opens it; an erased one refuses. */
async function open(deps: WriteDeps, owner: Owner): Promise<Result<unknown, Failure>> {
  if (deps.missions === null) return ok(null)
  const at = isoTime(deps.now())
  return await deps.missions.apply({ ...owner, at, event: { type: 'excerpt_stored' } })
}
