import type { Contract } from '../../contract/contract.ts'
import { done } from '../../contract/operation.ts'
import type { Answer, AnswerBody, Call } from '../../contract/operation.ts'
import { failure } from '../../domain/failure.ts'
import type { Failure } from '../../domain/failure.ts'
import { isoTime } from '../../domain/identifier.ts'
import { callMaskKey } from '../../domain/masking/masks/mask-record.ts'
import { err, ok } from '../../domain/result.ts'
import type { Result } from '../../domain/result.ts'
import type { Deps, Owner } from '../../ports.ts'

type Row = Contract['unmask']

/**
 * Lifts the masks of the named calls and excerpts, and pins them where that is asked: what a caller
 * with a raw history, or a page, needs, since it holds no placeholders.
 */
export async function liftNamed(
  deps: Pick<Deps, 'missions' | 'now'>,
  owner: Owner,
  { call_ids = [], refs = [], pin }: Pick<Call<Row>['body'], 'call_ids' | 'refs' | 'pin'>,
): Promise<Result<Answer<AnswerBody<Row>>, Failure>> {
  if (deps.missions === null) return err(failure('storage_not_configured'))
  if (call_ids.length + refs.length === 0)
    return err(
      failure('invalid_input', {
        detail: 'An unmask names a request, refs or call_ids.',
        errors: [{ pointer: '', detail: 'none of the three is there' }],
      }),
    )
  const view = await deps.missions.read(owner, [
    { kind: 'mask', keys: call_ids.map(callMaskKey) },
    { kind: 'mask_ref', keys: refs },
  ])
  if (view === null) return err(failure('mission_not_found'))
  const known = new Set(view.found.map(({ key }) => key))
  const lifts = [
    ...call_ids.filter((id) => known.has(callMaskKey(id))).map((call_id) => ({ call_id })),
    ...refs.filter((ref) => known.has(ref)).map((ref) => ({ ref })),
  ]
  const pinned = pin ? [...call_ids, ...refs] : []
  const event = { type: 'unmasked', restored: [], lifts, pinned } as const
  const lifted = await deps.missions.apply({ ...owner, at: isoTime(deps.now()), event })
  if (!lifted.ok) return lifted
  const missing = [
    ...call_ids.map((id, index) => [`/call_ids/${index}`, callMaskKey(id)] as const),
    ...refs.map((ref, index) => [`/refs/${index}`, ref] as const),
  ].filter(([, key]) => !known.has(key))
  return ok(
    done({
      restored: lifts.length,
      not_restored: missing.map(([pointer]) => ({ pointer, reason: 'not_masked_here' })),
    }),
  )
}
